import type { ReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { encodingOf } from "./file-content.ts";
import { shown } from "./file-refusal.ts";
import { type LogFile, openLogFile } from "./log-file.ts";

const blockBytes = 131_072;

export interface LogBlock {
  text: string;
  /** Bytes of the file on disk consumed so far. */
  bytesRead: number;
}

/** Reading ended early, through no fault of the caller: what was read until then counts. */
export class LogDamaged extends Error {
  override readonly name = "LogDamaged";
}

/**
 * Reads a log in blocks of text, decompressed when it is gzip, up to the length it had when it was
 * found: a log that is being written does not keep its reader for ever.
 *
 * @throws LogDamaged when the compressed data is truncated or damaged, or the disk fails.
 * @throws InvalidInput when the file is gone or was replaced.
 * @throws the signal's reason once it aborts; the file is closed then.
 */
export async function* readLogBlocks(file: LogFile, signal: AbortSignal): AsyncGenerator<LogBlock> {
  if (file.bytes === 0) return;
  const handle = await openLogFile(file);
  // Closes the handle when it ends, and when the loop below is left in whichever way.
  const source = handle.createReadStream({
    end: file.bytes - 1,
    highWaterMark: blockBytes,
    signal,
  });
  const content: Readable = file.isCompressed ? gunzip(source) : source;
  let decoder: StringDecoder | null = null;
  try {
    for await (const bytes of content as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      const isFirst = decoder === null;
      decoder ??= new StringDecoder(encodingOf(bytes));
      const text = decoder.write(bytes);
      yield { text: isFirst ? text.replace(/^\uFEFF/, "") : text, bytesRead: source.bytesRead };
    }
    yield { text: decoder?.end() ?? "", bytesRead: source.bytesRead };
  } catch (error) {
    signal.throwIfAborted();
    throw damage(error as NodeJS.ErrnoException, file);
  }
}

function gunzip(source: ReadStream): Readable {
  const target = createGunzip({ chunkSize: blockBytes });
  // An error of either ends both and reaches whoever reads the target.
  return pipeline(source, target, () => {});
}

function damage(error: NodeJS.ErrnoException, { name }: LogFile): Error {
  const { code = "", message } = error;
  if (code === "Z_BUF_ERROR") {
    return new LogDamaged(
      `"${shown(name)}" ends in the middle of its compressed data (truncated).`,
    );
  }
  if (code.startsWith("Z_")) {
    return new LogDamaged(`The compressed data of "${shown(name)}" is damaged: ${message}.`);
  }
  return error.syscall ? new LogDamaged(`Reading "${shown(name)}" failed: ${code}.`) : error;
}
