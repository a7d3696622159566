/** `Inbox · toolthread` with three open questions becomes `(3) Inbox · toolthread`. */
export function titleWithCount(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  if (count === 0) return plain;
  return `(${count > 99 ? "99+" : count}) ${plain}`;
}
