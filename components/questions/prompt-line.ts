const maxCharacters = 160;

/**
 * A prompt on one line of a list: its first line with a text, without the marks of Markdown, which a
 * line that is not rendered only has in the way.
 */
export function promptLine(prompt: string): string {
  const line = prompt.split("\n", 20).find((each) => each.trim() !== "") ?? "";
  const plain = line.replace(/^[#>\-*\s]+/, "").replace(/\*\*|__|`/g, "");
  return plain.slice(0, maxCharacters) || "(no text)";
}
