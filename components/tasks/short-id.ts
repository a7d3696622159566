/** The beginning of an id that people can tell tasks apart by; the whole is shown on hover. */
export function shortId(taskId: string): string {
  const bare = taskId.replace(/^task_/, "");
  return bare.length > 8 ? bare.slice(0, 8) : bare;
}
