import { type NextRequest, NextResponse } from "next/server";
import { isEntryPath } from "./server/core/entry-path.ts";
import { pagePolicy } from "./server/security-headers.ts";
import { admitsPage } from "./server/shared-runtime.ts";

const isDevelopment = process.env.NODE_ENV === "development";

/**
 * Next asks this before each page: who is not signed in is sent to where one does, and each page gets
 * a nonce of its own, which Next puts on its scripts because it finds it in the request's policy.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  if (!isEntryPath(pathname) && !(await admitsPage(request.headers))) {
    const signIn = new URL("/sign-in", request.url);
    if (pathname !== "/") signIn.searchParams.set("next", pathname + search);
    return NextResponse.redirect(signIn);
  }
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = pagePolicy(nonce, isDevelopment);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

export const config = {
  // All pages. The API asks by itself; files hold no data.
  matcher: ["/((?!api/|_next/|icon|apple-icon|manifest|service-worker).*)"],
};
