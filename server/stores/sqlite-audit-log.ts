import type { AuditEntry, AuditLog, AuditQuery, AuditRecord } from "../core/audit.ts";
import type { Page } from "../core/durable-task-store.ts";
import type { AuditReads } from "./audit-reads.ts";
import { toAuditRow } from "./audit-row.ts";
import { insertRows } from "./bulk-sql.ts";
import { toColumnValue } from "./column-text.ts";
import type { CommandWriter } from "./command-writer.ts";
import { toStoreError } from "./database-error.ts";
import { auditColumns, valuesOf } from "./table-columns.ts";

const insert = insertRows("audit", auditColumns);

/** The audit log in a SQLite file: written by its one writer, read by its reader. */
export class SqliteAuditLog implements AuditLog {
  readonly #file: string;
  readonly #writer: CommandWriter;
  readonly #read: <T>(query: (reads: AuditReads) => Promise<T>) => Promise<T>;

  constructor(
    file: string,
    writer: CommandWriter,
    read: <T>(query: (reads: AuditReads) => Promise<T>) => Promise<T>,
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#read = read;
  }

  async append(record: AuditRecord): Promise<void> {
    const row = valuesOf(auditColumns, toAuditRow(record)).map(toColumnValue);
    try {
      const rows = JSON.stringify([row]);
      await this.#writer.exclusively((connection) => connection.run(insert, rows));
    } catch (error) {
      throw toStoreError(error, this.#file);
    }
  }

  list(query: AuditQuery): Promise<Page<AuditEntry>> {
    return this.#read((reads) => reads.list(query));
  }
}
