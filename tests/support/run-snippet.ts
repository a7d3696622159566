import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The code of one language in a document, block by block. */
export function snippetsOf(document: string, language: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
  return [...blocks].map((match) => match[1] ?? "");
}

/** Runs TypeScript of a document against a server of the test. @returns what it logged. */
export async function runSnippet(name: string, snippet: string, url: string): Promise<unknown[][]> {
  const folder = join(root, "node_modules/.cache/snippets");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.ts`);
  const client = join(root, "server/adapters/client/create-toolthread-client.ts");
  const runnable = snippet
    .replaceAll('"toolthread/client"', JSON.stringify(client))
    .replaceAll("http://127.0.0.1:3000", url);
  writeFileSync(file, runnable);
  const logged: unknown[][] = [];
  const { log } = console;
  console.log = (...args) => logged.push(args);
  try {
    await import(file);
    return logged;
  } finally {
    console.log = log;
  }
}
