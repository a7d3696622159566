"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";

const urlAfterMillis = 250;

let openInPlace: ((questionId: string) => void) | null = null;

/** Opens a question in the inbox, from whichever page. */
export function openQuestion(questionId: string, push: (path: string) => void): void {
  if (openInPlace) openInPlace(questionId);
  else push(pathOf(questionId));
}

function pathOf(questionId: string | null): string {
  return questionId === null ? "/" : `/?question=${encodeURIComponent(questionId)}`;
}

/**
 * The question that is being read, which the URL names as well: at once when it is opened, so that
 * the way back closes it, and a moment later when it is only moved on.
 */
export function useChosenQuestion() {
  const named = useSearchParams().get("question");
  const [chosen, setChosen] = useState(named);
  const lastNamed = useRef(named);
  // A link led here, or the way back.
  if (named !== lastNamed.current) {
    lastNamed.current = named;
    if (named !== chosen) setChosen(named);
  }

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const choose = useCallback((id: string | null, isOpening = false) => {
    setChosen(id);
    clearTimeout(timer.current);
    if (isOpening) history.pushState(null, "", pathOf(id));
    else timer.current = setTimeout(() => rename(id), urlAfterMillis);
  }, []);
  useEffect(() => {
    openInPlace = choose;
    return () => {
      openInPlace = null;
      clearTimeout(timer.current);
    };
  }, [choose]);
  return { chosen, choose };
}

// Past the router, which would drop a change of page that is under way for it.
function rename(id: string | null): void {
  if (location.pathname !== "/") return;
  try {
    History.prototype.replaceState.call(history, history.state, "", pathOf(id));
  } catch {
    // Some browsers allow a hundred of these in half a minute. The next one will do.
  }
}
