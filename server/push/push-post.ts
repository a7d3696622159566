import { lookup as lookUpAddress } from "node:dns";
import { type RequestOptions, request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { InvalidInput } from "../core/errors.ts";

/** Seconds that a push service has to answer. */
const answerSeconds = 15;

/** A message for a push service, ready to be sent. */
export interface PushMessage {
  endpoint: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends a message. @returns the HTTP status. @throws when the service was not reached. */
export type PostPush = (message: PushMessage) => Promise<number>;

// Two lists, because Node takes an IPv4 address for one of ::ffff:0:0/96.
const inside = { ipv4: new BlockList(), ipv6: new BlockList() };
// Addresses that are no push service's. Whoever may subscribe could otherwise have the server knock at
// the doors of its own network.
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  inside.ipv4.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  inside.ipv6.addSubnet(net, prefix, "ipv6");
}

/** Whether an address is of the machine itself, its network, or nobody's. */
export function isInside(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  return family === 4 ? inside.ipv4.check(address, "ipv4") : inside.ipv6.check(address, "ipv6");
}

/** @throws InvalidInput for what cannot be a push service: no TLS, or an address of our own network. */
export function checkEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const isTaken = isIP(host) !== 0 ? !isInside(host) : host.includes(".");
  if (url?.protocol === "https:" && url.username === "" && isTaken) return;
  throw new InvalidInput("A push endpoint is an https URL of a push service on the internet.", {
    issues: [{ path: "endpoint", message: "is no https URL of a push service" }],
  });
}

/** Sends over TLS to public addresses only, whatever a name turns out to mean, and to no other place. */
export const postPush: PostPush = ({ endpoint, headers, body }) => {
  checkEndpoint(endpoint);
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: "POST",
      headers,
      lookup: lookUpPublic,
      signal: AbortSignal.timeout(answerSeconds * 1000),
    };
    // A redirect is an answer like any other: it is not followed.
    const sent = request(endpoint, options, (response) => {
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sent.on("error", reject);
    sent.end(body);
  });
};

const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookUpAddress(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error) return done(error, "");
    if (!first || addresses.some(({ address }) => isInside(address))) {
      return done(new Error(`${hostname} is no address on the internet.`), "");
    }
    if (options.all) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};
