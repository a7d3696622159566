"use client";

import { useQuery } from "@tanstack/react-query";
import { isNotFound, readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { InboxDetail } from "./inbox-detail.tsx";

interface FoundQuestionProps {
  questionId: string;
  hasNext: boolean;
  onBack: () => void;
  onSaid: () => void;
  onNext: () => void;
}

/** A question that a link led to and the list does not have: one that was resolved, or is far below. */
export default function FoundQuestion({ questionId, ...rest }: FoundQuestionProps) {
  const query = useQuery(queries.question(questionId));
  const taskId = query.data?.taskId;
  const task = useQuery({ ...queries.task(taskId ?? ""), enabled: taskId !== undefined });
  if (query.data && task.data) {
    const { type, status } = task.data.task;
    const question = { ...query.data, taskType: type, taskStatus: status };
    return <InboxDetail question={question} {...rest} />;
  }
  const failed = query.isError ? query : task.isError ? task : null;
  if (failed === null) return null;
  if (!isNotFound(failed.error)) {
    const { message } = readApiError(failed.error);
    return <ErrorState message={message} onRetry={() => void failed.refetch()} />;
  }
  return (
    <EmptyState
      title="There is no such question"
      action={<Button onClick={rest.onBack}>See the open ones</Button>}
    >
      Its task may have been removed, or it is nothing you may see.
    </EmptyState>
  );
}
