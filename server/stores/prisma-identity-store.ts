import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type KeyScopes, roles, type Subject, type TypeAccess } from "../core/permission.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { isUniqueViolation, sqliteCodeOf, toStoreError } from "./database-error.ts";
import type { AgentKey, EntryLink, PrismaClient, Session, User } from "./generated/client.ts";
import type {
  AccountKey,
  EntryLinkRecord,
  IdentityStore,
  KeyRecord,
  NewPerson,
  PersonRecord,
  SessionRecord,
} from "./identity-store.ts";
import type { PasskeyStore } from "./passkey-store.ts";
import { PrismaPasskeyStore } from "./prisma-passkey-store.ts";
import { checkRow, fromJsonText } from "./stored-json.ts";

const role = z.enum(roles);
const groups = z.array(z.string());
const subject = z.custom<Subject>((value) => typeof value === "string");

const scopesSchema: z.ZodType<KeyScopes> = z.object({
  start: z.union([z.literal("all"), z.array(z.string())]),
  read: z.enum(["own", "all"]),
  answer: z.boolean(),
  drive: z.boolean(),
  metrics: z.boolean(),
});

const accessSchema: z.ZodType<TypeAccess> = z.object({
  see: z.array(subject).optional(),
  start: z.array(subject).optional(),
  answer: z.array(subject).optional(),
});

const memberParts = z.object({ role, groups });
const linkParts = z.object({ role, groups, kind: z.enum(["set_up", "invite"]) });

/** Identities in the tables of better-auth and our own. Reads and writes in turns with the writer. */
export class PrismaIdentityStore implements IdentityStore {
  readonly client: PrismaClient;
  readonly passkeys: PasskeyStore;
  readonly #file: string;

  constructor(client: PrismaClient, file: string) {
    this.client = client;
    this.passkeys = new PrismaPasskeyStore(client, file);
    this.#file = file;
  }

  async listPeople(): Promise<PersonRecord[]> {
    const rows = await this.#run(() =>
      this.client.user.findMany({ orderBy: { createdAt: "asc" } }),
    );
    return rows.map(toPerson);
  }

  async addPerson(person: NewPerson): Promise<boolean> {
    return this.#unlessTaken(() => this.client.user.create({ data: personData(person) }));
  }

  async enter(
    { linkId, usedAt, isForFirst }: { linkId: string; usedAt: Timestamp; isForFirst: boolean },
    person: NewPerson,
  ): Promise<boolean> {
    return this.#unlessTaken(() =>
      this.client.$transaction(async (tx) => {
        const { count } = await tx.entryLink.updateMany({
          where: { id: linkId, usedAt: null },
          data: { usedAt },
        });
        if (count !== 1 || (isForFirst && (await tx.user.count()) > 0)) throw new LinkIsUsed();
        await tx.user.create({ data: personData(person) });
      }),
    );
  }

  async changePerson(
    userId: string,
    change: Partial<Pick<PersonRecord, "role" | "groups" | "disabledAt">>,
  ): Promise<void> {
    const { groups, ...same } = change;
    const data = { ...same, ...(groups ? { groups: JSON.stringify(groups) } : {}) };
    await this.#run(() => this.client.user.update({ where: { id: userId }, data }));
  }

  async findAccountOwner({ providerId, accountId }: AccountKey): Promise<string | null> {
    const where = { providerId_accountId: { providerId, accountId } };
    const row = await this.#run(() => this.client.account.findUnique({ where }));
    return row?.userId ?? null;
  }

  async addAccount(userId: string, { providerId, accountId }: AccountKey): Promise<boolean> {
    const data = { id: `account_${randomUUID()}`, userId, providerId, accountId };
    return this.#unlessTaken(() => this.client.account.create({ data }));
  }

  async listAccounts(userId: string): Promise<string[]> {
    const rows = await this.#run(() => this.client.account.findMany({ where: { userId } }));
    return rows.map(({ providerId }) => providerId);
  }

  async removeAccount(userId: string, providerId: string): Promise<void> {
    await this.#run(() => this.client.account.deleteMany({ where: { userId, providerId } }));
  }

  async listSessions(userId: string, now: Timestamp): Promise<SessionRecord[]> {
    const rows = await this.#run(() =>
      this.client.session.findMany({ where: { userId, expiresAt: { gt: new Date(now) } } }),
    );
    return rows.map(toSession).sort((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1));
  }

  async noteSession(
    sessionId: string,
    { lastSeenAt, address }: { lastSeenAt: Timestamp; address?: string },
  ): Promise<void> {
    const data = { lastSeenAt, ipAddress: address };
    await this.#run(() => this.client.session.updateMany({ where: { id: sessionId }, data }));
  }

  async endSessions(
    userId: string,
    { only, except }: { only?: string; except?: string } = {},
  ): Promise<string[]> {
    const id = { equals: only, not: except };
    return this.#run(() =>
      this.client.$transaction(async (tx) => {
        const found = await tx.session.findMany({ where: { userId, id }, select: { id: true } });
        const ids = found.map((row) => row.id);
        await tx.session.deleteMany({ where: { id: { in: ids } } });
        return ids;
      }),
    );
  }

  async listKeys(): Promise<KeyRecord[]> {
    const rows = await this.#run(() =>
      this.client.agentKey.findMany({ orderBy: { createdAt: "desc" } }),
    );
    return rows.map(toKey);
  }

  async addKey({ keyId, scopes, ...same }: KeyRecord): Promise<void> {
    const data = { ...same, id: keyId, scopes: JSON.stringify(scopes) };
    await this.#run(() => this.client.agentKey.create({ data }));
  }

  async changeKey(
    keyId: string,
    change: Partial<Pick<KeyRecord, "lastUsedAt" | "revokedAt">>,
  ): Promise<void> {
    await this.#run(() => this.client.agentKey.update({ where: { id: keyId }, data: change }));
  }

  async listOpenLinks(): Promise<EntryLinkRecord[]> {
    const rows = await this.#run(() =>
      this.client.entryLink.findMany({ where: { usedAt: null }, orderBy: { createdAt: "desc" } }),
    );
    return rows.map(toLink);
  }

  async findLink(tokenHash: string): Promise<EntryLinkRecord | null> {
    const row = await this.#run(() => this.client.entryLink.findUnique({ where: { tokenHash } }));
    return row && toLink(row);
  }

  async addLink({ linkId, groups, ...same }: EntryLinkRecord): Promise<void> {
    const data = { ...same, id: linkId, groups: JSON.stringify(groups) };
    await this.#run(() => this.client.entryLink.create({ data }));
  }

  async removeLink(linkId: string): Promise<boolean> {
    const where = { id: linkId, usedAt: null };
    const { count } = await this.#run(() => this.client.entryLink.deleteMany({ where }));
    return count === 1;
  }

  async listTypeRules(): Promise<Map<string, TypeAccess>> {
    const rows = await this.#run(() => this.client.typeRule.findMany());
    return new Map(
      rows.map(({ type, access }) => [
        type,
        checkRow("type_rules", type, accessSchema, fromJsonText("type_rules", type, access)),
      ]),
    );
  }

  async setTypeRule(type: string, access: TypeAccess | null): Promise<void> {
    if (access === null) {
      await this.#run(() => this.client.typeRule.deleteMany({ where: { type } }));
      return;
    }
    const text = JSON.stringify(access);
    await this.#run(() =>
      this.client.typeRule.upsert({
        where: { type },
        create: { type, access: text },
        update: { access: text },
      }),
    );
  }

  async #unlessTaken(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#run(write);
      return true;
    } catch (error) {
      if (error instanceof LinkIsUsed || isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async #run<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof LinkIsUsed || isUniqueViolation(error)) throw error;
      throw sqliteCodeOf(error) === null ? error : toStoreError(error, this.#file);
    }
  }
}

class LinkIsUsed extends Error {}

function personData({ userId, name, email, role, groups, signIn }: NewPerson) {
  return {
    id: userId,
    name,
    email,
    role,
    groups: JSON.stringify(groups),
    accounts: {
      create:
        "passwordHash" in signIn
          ? {
              id: `${userId}_password`,
              accountId: userId,
              // The name under which better-auth finds a password.
              providerId: "credential",
              password: signIn.passwordHash,
            }
          : { id: `account_${randomUUID()}`, ...signIn },
    },
  };
}

function toPerson(row: User): PersonRecord {
  const parts = { role: row.role, groups: fromJsonText("users", row.id, row.groups) };
  return {
    userId: row.id,
    name: row.name,
    email: row.email,
    createdAt: fromDate(row.createdAt),
    disabledAt: row.disabledAt,
    ...checkRow("users", row.id, memberParts, parts),
  };
}

function toSession(row: Session): SessionRecord {
  const createdAt = fromDate(row.createdAt);
  return {
    sessionId: row.id,
    userId: row.userId,
    userAgent: row.userAgent || null,
    address: row.ipAddress || null,
    createdAt,
    lastSeenAt: row.lastSeenAt ?? createdAt,
    expiresAt: fromDate(row.expiresAt),
  };
}

function toKey({ id, scopes, ...same }: AgentKey): KeyRecord {
  const parsed = checkRow("agent_keys", id, scopesSchema, fromJsonText("agent_keys", id, scopes));
  return { ...same, keyId: id, scopes: parsed };
}

function toLink({ id, kind, role, groups, ...same }: EntryLink): EntryLinkRecord {
  const parts = { kind, role, groups: fromJsonText("entry_links", id, groups) };
  return { ...same, linkId: id, ...checkRow("entry_links", id, linkParts, parts) };
}

/** better-auth's moments have milliseconds; ours have six decimals. */
function fromDate(date: Date): Timestamp {
  return date.toISOString().replace("Z", "000Z");
}
