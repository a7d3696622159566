import { analyzeBlocks } from "../../server/tasks/analyze-logs/analyze-file.ts";
import type { FileAnalysis } from "../../server/tasks/analyze-logs/file-analysis.ts";

export interface TextOptions {
  /** When the file was written last; the end of November 2026 if left out. */
  modifiedAt?: number;
  /** Characters a block; 1000 if left out. */
  blockLength?: number;
}

/** Analyses text as if it were a file that is read in blocks. */
export function analyzeText(text: string, options: TextOptions = {}): Promise<FileAnalysis> {
  const { modifiedAt = Date.UTC(2026, 10, 30, 18), blockLength = 1000 } = options;
  async function* blocks() {
    for (let i = 0; i < text.length; i += blockLength) {
      yield {
        text: text.slice(i, i + blockLength),
        bytesRead: Math.min(text.length, i + blockLength),
      };
    }
  }
  const file = { name: "test.log", bytes: text.length, modifiedAt, isCompressed: false };
  return analyzeBlocks(file, blocks(), () => {});
}

/** The groups as `level ×count template`, in the analysis' order. */
export function groupLines({ groups }: FileAnalysis): string[] {
  return groups.map(({ level, count, template }) => `${level} ×${count} ${template}`);
}
