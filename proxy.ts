import { type NextRequest, NextResponse } from "next/server";
import { admitsPage } from "./server/shared-runtime.ts";

/** Next asks this before each page: who is not signed in is sent to where one does. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  if (await admitsPage(request.headers)) return NextResponse.next();
  const { pathname, search } = request.nextUrl;
  const signIn = new URL("/sign-in", request.url);
  if (pathname !== "/") signIn.searchParams.set("next", pathname + search);
  return NextResponse.redirect(signIn);
}

export const config = {
  // All pages but those by which one comes in. The API asks by itself; files hold no data.
  matcher: ["/((?!api/|_next/|icon|apple-icon|manifest|service-worker|sign-in|set-up|invite).*)"],
};
