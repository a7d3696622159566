interface Download<Item> {
  /** Of letters, digits, dots, dashes and underscores. */
  fileName: string;
  /** The media type. */
  type: string;
  /** What comes before the pages, and after them. */
  head: string;
  foot: string;
  /** The first page, which the caller has read: what refuses them has refused there. */
  first: IteratorResult<Item[], void>;
  pages: AsyncGenerator<Item[], void, undefined>;
  textOf(page: Item[], isFirst: boolean): string;
}

/** A file to save, made while it is read: a slow reader costs no more memory than a page. */
export function downloadResponse<Item>(download: Download<Item>): Response {
  return new Response(streamOf(download), {
    headers: {
      "content-type": download.type,
      "content-disposition": `attachment; filename="${download.fileName}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function streamOf<Item>({
  head,
  foot,
  first,
  pages,
  textOf,
}: Download<Item>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<Item[], void> | null = first;
  return new ReadableStream({
    start: (controller) => {
      if (head !== "") controller.enqueue(encoder.encode(head));
    },
    pull: async (controller) => {
      const isFirst = next !== null;
      const page = next ?? (await pages.next());
      next = null;
      if (!page.done) {
        controller.enqueue(encoder.encode(textOf(page.value, isFirst)));
        return;
      }
      if (foot !== "") controller.enqueue(encoder.encode(foot));
      controller.close();
    },
    cancel: async () => {
      await pages.return();
    },
  });
}
