import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type AccountClaims } from "oidc-provider";

const scopes = "openid email profile groups";

export interface OidcServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whoever is sent here signs in as this person from now on, without being asked. */
  signInAs(claims: Omit<AccountClaims, "sub"> & { sub: string }): void;
  /** Changes what the token endpoint answers; null for what is right. */
  tamper: ((body: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Makes the provider that sends browsers back to this URL. */
  admit(redirectUri: string): void;
  close(): Promise<void>;
}

/** A real OpenID Connect provider, on any free port. */
export async function startOidcServer(): Promise<OidcServer> {
  const client = { clientId: "toolthread", clientSecret: "a secret of the client" };
  const people = new Map<string, Record<string, unknown>>();
  let current = "";
  let provider: Provider | null = null;
  const http = createServer((request, response) => {
    if (!provider) return response.writeHead(503).end();
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    return provider.interactionFinished(
      request,
      response,
      { login: { accountId: current } },
      { mergeWithLastSubmission: false },
    );
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: OidcServer = {
    issuer,
    ...client,
    tamper: null,
    signInAs({ sub, ...claims }) {
      current = sub;
      people.set(sub, claims);
    },
    admit(redirectUri) {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.clientId,
            client_secret: client.clientSecret,
            redirect_uris: [redirectUri],
          },
        ],
        pkce: { required: () => true },
        claims: { email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
        // What is asked for stands in the token too, as many providers have it.
        conformIdTokenClaims: false,
        ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        cookies: { keys: ["for tests only"] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
        async loadExistingGrant({ oidc }) {
          const { accountId } = oidc.session ?? {};
          const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId });
          grant.addOIDCScope(scopes);
          await grant.save();
          return grant;
        },
      });
      provider.use(async (ctx, next) => {
        await next();
        if (server.tamper && ctx.path === "/token") ctx.body = server.tamper(ctx.body as never);
      });
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
