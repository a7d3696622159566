import type { Metadata } from "next";
import { TaskPage } from "@/components/tasks/task-page.tsx";

export const metadata: Metadata = { title: "Task" };

export default async function Page({ params }: { params: Promise<{ taskId: string }> }) {
  const { taskId } = await params;
  return <TaskPage key={taskId} taskId={decoded(taskId)} />;
}

// A link typed by hand may hold a bad escape; the page then says that there is no such task.
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
