"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "../api/queries.ts";
import { useAttentionSettings } from "../attention/attention-settings.ts";
import { showBadge } from "./tab-badge.ts";
import { titleWithCount } from "./title-with-count.ts";

/** Keeps the number of open questions in the tab's title and on its icon. */
export function TabTitle() {
  const { data } = useQuery(queries.stats());
  const { title: isOn } = useAttentionSettings();
  const count = isOn ? (data?.openQuestions ?? 0) : 0;
  useEffect(() => {
    const apply = () => {
      const wanted = titleWithCount(document.title, count);
      if (document.title !== wanted) document.title = wanted;
    };
    apply();
    showBadge(count);
    // Next writes the title itself, at its own moment, when the page changes.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
  return null;
}
