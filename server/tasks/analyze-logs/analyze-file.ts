import type { FileAnalysis } from "./file-analysis.ts";
import { FileAnalyzer } from "./file-analyzer.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { LogFile } from "./log-file.ts";
import { type LogBlock, LogDamaged, readLogBlocks } from "./read-log-blocks.ts";

/** How far a file is read. */
export interface ReadProgress {
  /** Bytes on disk. */
  bytesRead: number;
  lines: number;
  errors: number;
}

/**
 * Reads and analyses one log file in constant memory. Between two blocks, each some milliseconds of
 * work, the event loop turns, so other tasks and requests go on.
 *
 * @param onProgress called after every block.
 * @throws the signal's reason once it aborts.
 */
export async function analyzeFile(
  file: LogFile,
  signal: AbortSignal,
  onProgress: (progress: ReadProgress) => void,
): Promise<FileAnalysis> {
  return analyzeBlocks(file, readLogBlocks(file, signal), onProgress);
}

/** The same for blocks from anywhere. */
export async function analyzeBlocks(
  { name, bytes, modifiedAt, isCompressed }: Omit<LogFile, "path">,
  blocks: AsyncIterable<LogBlock>,
  onProgress: (progress: ReadProgress) => void,
): Promise<FileAnalysis> {
  const analyzer = new FileAnalyzer({ modifiedAt });
  const splitter = new LineSplitter((line, isCut) => analyzer.addLine(line, isCut));
  let problem: string | null = null;
  try {
    for await (const { text, bytesRead } of blocks) {
      splitter.push(text);
      onProgress({ bytesRead, ...analyzer.soFar });
    }
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    problem = error.message;
  }
  splitter.end();
  return analyzer.finish({ file: name, bytes, isCompressed, problem });
}
