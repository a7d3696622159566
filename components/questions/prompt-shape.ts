const foldOverCharacters = 1200;
const foldOverLines = 16;

/** True for a prompt that is shown folded at first. */
export function isLong(prompt: string): boolean {
  if (prompt.length > foldOverCharacters) return true;
  return prompt.split("\n", foldOverLines + 1).length > foldOverLines;
}

// Marks within a line, and what a line can begin with to be a list, a code block or a rule.
const marks = /[*_`#[\]<>~\\&]|^\s*([-+]|\d+[.)])\s|^( {4}|\t)|^\s*[-=]{3,}\s*$/m;

/** True when Markdown might show the text differently, so that its parser is worth loading. */
export function hasMarkdown(text: string): boolean {
  return marks.test(text);
}
