export interface RestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  body: any;
}

/** Calls the REST API as a program would: with `fetch` and nothing else. */
export function restClient(url: string, headers: Record<string, string> = {}) {
  const call = async (path: string, init: RequestInit): Promise<RestAnswer> => {
    const response = await fetch(`${url}/api/v1${path}`, init);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const body = isJson && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body };
  };
  return {
    get: (path: string) => call(path, { headers }),
    post: (path: string, body?: unknown) =>
      call(path, {
        method: "POST",
        headers: { ...headers, ...(body === undefined ? {} : jsonType) },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    /** Sends exactly this. */
    raw: call,
  };
}

const jsonType = { "content-type": "application/json" };
