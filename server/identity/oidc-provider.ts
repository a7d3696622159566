import * as oidc from "openid-client";
import { z } from "zod";
import type { SignOnSettings } from "../core/sign-on.ts";

/** Seconds that a request to the provider may take. */
const timeoutSeconds = 10;

/** One attempt to sign in, as it is kept between its two steps. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
}

/** Who somebody is, as the provider says. */
export interface OidcIdentity {
  /** Theirs at this provider, for ever. */
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  /** Null when the provider says nothing of groups, or is not asked. */
  groups: string[] | null;
}

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(200).optional().catch(undefined),
  // Some providers send booleans as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
});

const groupsSchema = z.array(z.string());

/**
 * An OpenID Connect provider: the authorization code flow with PKCE, state and nonce. openid-client, a
 * certified implementation, checks what comes back, the signature included.
 */
export class OidcProvider {
  readonly #settings: SignOnSettings;
  #discovered: Promise<oidc.Configuration> | null = null;

  constructor(settings: SignOnSettings) {
    this.#settings = settings;
  }

  get issuer(): string {
    return this.#settings.issuer;
  }

  /** Where to send a browser, and what to keep until it comes back. Throws while it cannot be reached. */
  async begin(redirectUri: string): Promise<{ url: string; attempt: OidcAttempt }> {
    const config = await this.#discover();
    const attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
      redirectUri,
    };
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: "S256",
    });
    return { url: url.href, attempt };
  }

  /** Who came back with this answer. Throws when anything about it is not as it must be. */
  async redeem(attempt: OidcAttempt, query: string): Promise<OidcIdentity> {
    const config = await this.#discover();
    const tokens = await oidc.authorizationCodeGrant(
      config,
      new URL(`${attempt.redirectUri}?${query}`),
      {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.codeVerifier,
        idTokenExpected: true,
      },
    );
    const ofToken = tokens.claims() as oidc.IDToken;
    const { groupsClaim } = this.#settings;
    const isWhole =
      ofToken.email !== undefined && (groupsClaim === null || ofToken[groupsClaim] !== undefined);
    const hasMore = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, ofToken.sub) : {};
    // What the token says is signed, so it goes before what was asked for besides. An address and
    // whether it is verified belong together.
    const { email, email_verified, ...others } = ofToken;
    const address = email === undefined ? {} : { email, email_verified };
    const claims: Record<string, unknown> = { ...more, ...others, ...address };
    return toIdentity(
      claimsSchema.parse(claims),
      groupsClaim === null ? null : claims[groupsClaim],
    );
  }

  #discover(): Promise<oidc.Configuration> {
    this.#discovered ??= this.#readDiscovery().catch((error: unknown) => {
      // The next attempt asks again.
      this.#discovered = null;
      throw error;
    });
    return this.#discovered;
  }

  async #readDiscovery(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    // Settings admit plain HTTP on this machine only.
    // Signatures are checked also of tokens that come straight from the provider over TLS.
    const execute = [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : []),
    ];
    const options = { execute, timeout: timeoutSeconds };
    const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), options);
    if (clientSecret === null) return found;
    const metadata = found.serverMetadata();
    // What OpenID Connect takes for granted where a provider does not say.
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic")
      ? oidc.ClientSecretBasic(clientSecret)
      : oidc.ClientSecretPost(clientSecret);
    const config = new oidc.Configuration(metadata, clientId, clientSecret, authenticate);
    config.timeout = timeoutSeconds;
    for (const change of execute) change(config);
    return config;
  }
}

function toIdentity(claims: z.output<typeof claimsSchema>, groups: unknown): OidcIdentity {
  const { sub, email, email_verified, name, preferred_username } = claims;
  return {
    subject: sub,
    email: email ?? null,
    isEmailVerified: email_verified === true,
    name: name ?? preferred_username ?? null,
    groups: groupsSchema.safeParse(groups).data ?? null,
  };
}
