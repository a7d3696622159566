import type { Metadata } from "next";
import { Suspense } from "react";
import { TaskList } from "@/components/tasks/task-list.tsx";

export const metadata: Metadata = { title: "Tasks" };

export default function TasksPage() {
  return (
    // The filters are in the URL, which only the browser knows while this page is built.
    <Suspense>
      <TaskList />
    </Suspense>
  );
}
