import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

interface Asked {
  challenge: string;
  origin: string;
  /** Whether it says that its owner showed who they are. */
  isVerified?: boolean;
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const bytes = (...values: number[]) => Buffer.from(values);

/** An authenticator with one key, in software: says what a real one says, and what one never would. */
export class SoftPasskey {
  readonly credentialId = randomBytes(32);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  counter = 0;

  register({ challenge, origin, isVerified = true }: Asked): RegistrationResponseJSON {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const coordinate = (text: string) => Buffer.from(text, "base64url");
    const cose = Buffer.concat([
      bytes(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20),
      coordinate(x),
      bytes(0x22, 0x58, 0x20),
      coordinate(y),
    ]);
    const length = bytes(0, this.credentialId.length);
    const authData = Buffer.concat([
      this.#head(origin, isVerified, 0x40),
      Buffer.alloc(16),
      length,
      this.credentialId,
      cose,
    ]);
    const attestation = Buffer.concat([
      bytes(0xa3, 0x63),
      Buffer.from("fmt"),
      bytes(0x64),
      Buffer.from("none"),
      bytes(0x67),
      Buffer.from("attStmt"),
      bytes(0xa0, 0x68),
      Buffer.from("authData"),
      bytes(0x58, authData.length),
      authData,
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData("webauthn.create", challenge, origin)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
      },
    };
  }

  answer({ challenge, origin, isVerified = true }: Asked): AuthenticationResponseJSON {
    this.counter += 1;
    const authData = this.#head(origin, isVerified, 0);
    const client = clientData("webauthn.get", challenge, origin);
    const signature = sign(
      "sha256",
      Buffer.concat([authData, sha256(client)]),
      this.#keys.privateKey,
    );
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      },
    };
  }

  #named() {
    const id = base64url(this.credentialId);
    return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  }

  #head(origin: string, isVerified: boolean, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const flags = 0x01 | (isVerified ? 0x04 : 0) | more;
    return Buffer.concat([sha256(new URL(origin).hostname), bytes(flags), count]);
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
