import type { FileHandle } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { refusal, shown } from "./file-refusal.ts";

const looksAtBytes = 8192;

/** Formats people name by mistake, told by their first bytes (latin1), and what to do. */
const foreign: [magic: string, what: string][] = [
  ["\xfd7zXZ\0", "compressed with xz; decompress it first"],
  ["BZh", "compressed with bzip2; decompress it first"],
  ["\x28\xb5\x2f\xfd", "compressed with zstd; decompress it first"],
  ["PK\x03\x04", "a zip archive; unpack it first"],
  ["LPKSHHRH", "a binary journal of systemd; export it with journalctl -o json"],
  ["\xfe\xff", "text in UTF-16 big-endian; convert it to UTF-8 first"],
];

/**
 * Looks at the beginning of a file; content counts, not the name.
 *
 * @returns whether it is compressed with gzip.
 * @throws InvalidInput when it is a binary file or its gzip data is damaged from the start.
 */
export async function checkContent(handle: FileHandle, name: string): Promise<boolean> {
  const buffer = Buffer.alloc(looksAtBytes);
  const { bytesRead } = await handle.read(buffer, 0, looksAtBytes, 0);
  const start = buffer.subarray(0, bytesRead);
  const isCompressed = start[0] === 0x1f && start[1] === 0x8b;
  checkIsText(isCompressed ? beginningOf(start, name) : start, name);
  return isCompressed;
}

/** How the text that begins with `start` is encoded: UTF-8, unless a byte order mark says UTF-16. */
export function encodingOf(start: Uint8Array): "utf8" | "utf16le" {
  return start[0] === 0xff && start[1] === 0xfe ? "utf16le" : "utf8";
}

function beginningOf(compressed: Buffer, name: string): Buffer {
  try {
    // The flush makes it give what there is instead of asking for the rest.
    return gunzipSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(
      0,
      looksAtBytes,
    );
  } catch (error) {
    throw refusal(
      "damaged",
      name,
      `"${shown(name)}" begins like gzip but cannot be decompressed: ${(error as Error).message}.`,
    );
  }
}

/** @throws InvalidInput */
function checkIsText(start: Buffer, name: string): void {
  const head = start.subarray(0, 16).toString("latin1");
  const known = foreign.find(([magic]) => head.startsWith(magic));
  if (known) throw refusal("binary", name, `"${shown(name)}" is ${known[1]}.`);
  if (encodingOf(start) === "utf16le") return;
  let controls = 0;
  for (const byte of start) {
    // Tab to carriage return, and the escape of coloured output, are at home in logs.
    if (byte === 0) controls += start.length;
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) controls++;
  }
  if (controls * 10 > start.length) {
    throw refusal("binary", name, `"${shown(name)}" is a binary file, not a text log.`);
  }
}
