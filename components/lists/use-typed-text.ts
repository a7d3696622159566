import { useEffect, useState } from "react";

/** Milliseconds without a key until what was typed counts. */
const typingMillis = 250;

/**
 * What stands in a field whose text is a filter in the URL: it follows the URL, and the URL follows it
 * once somebody stops typing.
 *
 * @param onText the same function from render to render, or the wait begins anew.
 */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
): [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // The URL changed by other means, such as Back or Clear.
  if (known !== text) {
    setKnown(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), typingMillis);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return [typed, setTyped];
}
