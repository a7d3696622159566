import { z } from "zod";
import type { Timestamp } from "../core/timestamp.ts";
import { isUniqueViolation, sqliteCodeOf, toStoreError } from "./database-error.ts";
import type { Passkey, PrismaClient } from "./generated/client.ts";
import type { PasskeyRecord, PasskeyStore } from "./passkey-store.ts";
import { checkRow, fromJsonText } from "./stored-json.ts";

const transportsSchema = z.array(z.string());

/** Passkeys in a table beside better-auth's. */
export class PrismaPasskeyStore implements PasskeyStore {
  readonly #client: PrismaClient;
  readonly #file: string;

  constructor(client: PrismaClient, file: string) {
    this.#client = client;
    this.#file = file;
  }

  async list(userId: string): Promise<PasskeyRecord[]> {
    const rows = await this.#run(() =>
      this.#client.passkey.findMany({ where: { userId }, orderBy: { createdAt: "asc" } }),
    );
    return rows.map(toRecord);
  }

  async find(credentialId: string): Promise<PasskeyRecord | null> {
    const row = await this.#run(() => this.#client.passkey.findUnique({ where: { credentialId } }));
    return row && toRecord(row);
  }

  async add({ passkeyId, transports, ...same }: PasskeyRecord): Promise<boolean> {
    const data = { ...same, id: passkeyId, transports: JSON.stringify(transports) };
    try {
      await this.#run(() => this.#client.passkey.create({ data }));
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async noteUse(passkeyId: string, use: { counter: number; lastUsedAt: Timestamp }): Promise<void> {
    const where = { id: passkeyId };
    await this.#run(() => this.#client.passkey.updateMany({ where, data: use }));
  }

  async rename(passkeyId: string, userId: string, name: string): Promise<string | null> {
    return this.#change(passkeyId, userId, (where) =>
      this.#client.passkey.updateMany({ where, data: { name } }),
    );
  }

  async remove(passkeyId: string, userId: string): Promise<string | null> {
    return this.#change(passkeyId, userId, (where) => this.#client.passkey.deleteMany({ where }));
  }

  async #change(
    passkeyId: string,
    userId: string,
    write: (where: { id: string; userId: string }) => Promise<{ count: number }>,
  ): Promise<string | null> {
    const where = { id: passkeyId, userId };
    const found = await this.#run(() => this.#client.passkey.findFirst({ where }));
    const { count } = await this.#run(() => write(where));
    return found && count === 1 ? found.name : null;
  }

  async #run<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (isUniqueViolation(error)) throw error;
      throw sqliteCodeOf(error) === null ? error : toStoreError(error, this.#file);
    }
  }
}

function toRecord({ id, transports, ...same }: Passkey): PasskeyRecord {
  const stored = fromJsonText("passkeys", id, transports);
  return { ...same, passkeyId: id, transports: checkRow("passkeys", id, transportsSchema, stored) };
}
