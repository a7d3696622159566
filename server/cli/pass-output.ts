import type { Readable } from "node:stream";

// A line that never ends is not to fill the memory.
const maxOpenLineChars = 64 * 1024;

/**
 * Shows output as it is, and reads it line by line. It is read to its end also when nobody looks at
 * what is shown any more, and no faster than it can be shown.
 */
export async function passOutput(
  output: Readable,
  shown: NodeJS.WriteStream,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let open = "";
  // What a progress bar writes over itself is one line, of which the last state counts.
  const tell = (line: string) => onLine(line.split("\r").findLast((part) => part !== "") ?? "");
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) {
      await show(chunk, shown, output);
      const lines = (open + decoder.decode(chunk, { stream: true })).split("\n");
      open = lines.pop() ?? "";
      for (const line of lines) tell(line);
      if (open.length <= maxOpenLineChars) continue;
      tell(open);
      open = "";
    }
  } catch (error) {
    // It was given up, because what holds it open is not the command's any more.
    if (!output.destroyed) throw error;
  }
  tell(open + decoder.decode());
}

/** Resolves when it was taken, when nobody is there to take it, and when the output is given up. */
function show(chunk: Buffer, shown: NodeJS.WriteStream, output: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (shown.destroyed || shown.errored) return resolve();
    const done = () => {
      output.off("close", done);
      resolve();
    };
    output.once("close", done);
    shown.write(chunk, done);
  });
}
