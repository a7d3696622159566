import { isIP } from "node:net";
import { SurfaceError } from "../error-table.ts";

const loopbackName = /^(localhost|[a-z0-9-]+\.localhost)$/;

/**
 * Tells whether requests may name this host. Names of this machine alone and IP addresses are
 * always fine; any other name has to be set, because a hostile page can have its own name resolve
 * to this machine (DNS rebinding) and would then count as same-origin.
 */
export class AccessRules {
  readonly #names: ReadonlySet<string>;

  /** @param names lower case, without ports. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  isKnownHost(host: string | null | undefined): boolean {
    const name = hostNameOf(host ?? "");
    return this.#names.has(name) || loopbackName.test(name) || isIP(name) !== 0;
  }

  /** @throws SurfaceError `unknown_host` */
  checkHost(headers: Headers): void {
    const host = headers.get("host");
    if (!this.isKnownHost(host)) throw unknownHost(host);
  }

  /**
   * Refuses what a page of another origin sent. Programs send neither of the two headers.
   *
   * @throws SurfaceError `foreign_origin`
   */
  checkOrigin(headers: Headers): void {
    const origin = headers.get("origin");
    if (origin !== null && !isOriginOf(origin, headers.get("host") ?? "")) {
      throw new SurfaceError(
        "foreign_origin",
        `Pages of "${origin.slice(0, 100)}" may not call this server.`,
      );
    }
  }
}

/** The refusal of a request that names this host. */
export function unknownHost(host: string | null | undefined): SurfaceError {
  return new SurfaceError(
    "unknown_host",
    `This server does not go by the name "${hostNameOf(host ?? "").slice(0, 100)}". ` +
      "If it should, add the name to TOOLTHREAD_ALLOWED_HOSTS.",
  );
}

/** Whether a browser says that a page of this server sent the request. */
export function isFromOwnPage(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  // Browsers without that header send Origin with every request that changes something.
  const origin = headers.get("origin");
  return origin !== null && isOriginOf(origin, headers.get("host") ?? "");
}

/** The scheme is not compared: behind a proxy that ends TLS this server does not know it. */
function isOriginOf(origin: string, host: string): boolean {
  const match = /^(https?):\/\/([^/]+)$/.exec(origin.toLowerCase());
  if (!match) return false;
  const port = match[1] === "https" ? ":443" : ":80";
  const bare = (authority: string) =>
    authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
  return bare(match[2] as string) === bare(host.toLowerCase());
}

function hostNameOf(host: string): string {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:]*))(?::\d*)?$/i.exec(host);
  return (match?.[1] ?? match?.[2] ?? host).toLowerCase().replace(/\.$/, "");
}
