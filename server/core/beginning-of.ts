// What is longer than a picture of several people joined is no character any more.
const longestCharacter = 64;
let segmenter: Intl.Segmenter | undefined;

/** The beginning of a text: at most so many UTF-16 units, cut between what people see as one character. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  segmenter ??= new Intl.Segmenter();
  const near = segmenter.segment(text.slice(0, most + longestCharacter));
  const start = near.containing(most)?.index ?? most;
  const end = start > most - longestCharacter ? start : most;
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, "");
}
