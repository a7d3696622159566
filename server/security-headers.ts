/**
 * What browsers are told to refuse. The API and files get `securityHeaders`, pages the policy of
 * `pagePolicy` as well.
 */

/**
 * The hashes of the style sheet that sonner, which knows no nonces, adds to a page by itself: empty at
 * first, and then with its text.
 */
const noticesStyle =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' " +
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/** Headers of every response. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
};

/** Headers of every response over TLS: browsers do without plain HTTP for a year. */
export const tlsHeaders: Readonly<Record<string, string>> = {
  "strict-transport-security": "max-age=31536000",
};

/** The policy of what is no page: should a browser show it as one, it may do nothing. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * The Content-Security-Policy of a page: scripts run that carry this nonce, and what those load.
 *
 * @param nonce a fresh one for each response, in Base64.
 * @param isDevelopment lets hot reload evaluate code and open its web socket.
 */
export function pagePolicy(nonce: string, isDevelopment = false): string {
  const scripts = `'self' 'nonce-${nonce}' 'strict-dynamic'`;
  return [
    "default-src 'self'",
    `script-src ${scripts}${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' 'nonce-${nonce}' ${noticesStyle}`,
    // The icon with the number waiting is drawn by the page.
    "img-src 'self' data:",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
