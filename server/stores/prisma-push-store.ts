import { z } from "zod";
import { urgencies } from "../core/task-question.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { toStoreError } from "./database-error.ts";
import type { PrismaClient, PushTarget } from "./generated/client.ts";
import type { PushStore, PushTargetRecord } from "./push-store.ts";
import { checkRow, fromJsonText } from "./stored-json.ts";

const wanted = z.object({
  urgencies: z.array(z.enum(urgencies)),
  types: z.array(z.string()).nullable(),
});

/** Browsers to be told, in the table beside the sessions they end with. */
export class PrismaPushStore implements PushStore {
  readonly #client: PrismaClient;
  readonly #file: string;

  constructor(client: PrismaClient, file: string) {
    this.#client = client;
    this.#file = file;
  }

  async list(now: Timestamp): Promise<PushTargetRecord[]> {
    const isOn = { OR: [{ sessionId: null }, { session: { expiresAt: { gt: new Date(now) } } }] };
    const rows = await this.#run(() =>
      this.#client.pushTarget.findMany({ where: isOn, orderBy: { createdAt: "asc" } }),
    );
    return rows.map(toRecord);
  }

  async put({ targetId, ...rest }: PushTargetRecord): Promise<void> {
    const data = {
      ...rest,
      urgencies: JSON.stringify(rest.urgencies),
      types: rest.types && JSON.stringify(rest.types),
    };
    await this.#run(() =>
      this.#client.pushTarget.upsert({
        where: { id: targetId },
        create: { id: targetId, ...data },
        update: data,
      }),
    );
  }

  async remove(targetId: string): Promise<void> {
    await this.#run(() => this.#client.pushTarget.deleteMany({ where: { id: targetId } }));
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, this.#file);
    }
  }
}

function toRecord(row: PushTarget): PushTargetRecord {
  const { id: targetId, ...same } = row;
  const json = (text: string | null) => fromJsonText("push_targets", targetId, text);
  const parts = checkRow("push_targets", targetId, wanted, {
    urgencies: json(row.urgencies),
    types: json(row.types),
  });
  return { ...same, ...parts, targetId };
}
