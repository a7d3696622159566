"use client";

import { useEffect, useRef } from "react";
import { questionNotice } from "@/server/core/question-notice.ts";
import { useMay } from "../api/queries.ts";
import type { FeedMessage } from "../live/feed-message.ts";
import { onFeedMessage, useLive } from "../live/live-provider.tsx";
import { attentionSettings, isWanted, useAttentionSettings } from "./attention-settings.ts";
import { subscribeToPush } from "./push.ts";
import { closeNotice, serviceWorker, showNotice } from "./service-worker.ts";
import { playTone } from "./tone.ts";

/** Tells of new questions beside the page. Of all tabs only the one with the stream does. */
export default function Attention() {
  const { leads } = useLive();
  const mayAnswer = useMay("questions:answer");
  const isMine = useRef(false);
  isMine.current = leads && mayAnswer;
  const { push, urgencies, types } = useAttentionSettings();
  // The server is to know what is wanted now, and with which session it ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is sent is read from the settings
  useEffect(() => {
    void serviceWorker().then(async (worker) => {
      if (worker && push) await subscribeToPush(worker).catch(() => {});
    });
  }, [push, urgencies, types]);
  useEffect(() => {
    return onFeedMessage((message) => {
      if (isMine.current) tell(message);
    });
  }, []);
  return null;
}

function tell(message: FeedMessage): void {
  if (message.kind !== "event" || !message.question) return;
  const { event, question, task } = message;
  if (event.kind === "question_resolved") {
    void closeNotice(question.questionId);
  } else if (event.kind === "question_opened" && question.outcome === null) {
    const settings = attentionSettings();
    if (!isWanted(settings, question, task.type)) return;
    if (settings.sound) void playTone().catch(() => {});
    if (settings.notification) void showNotice(questionNotice(question, task.type));
  }
}
