import { request } from "node:http";
import { text } from "node:stream/consumers";

/** Sends exactly these headers, which `fetch` would not, and reads the response whole. */
export async function sendRequest(options: {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  const { port, path, method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, method, headers: { host: `localhost:${port}`, ...headers } },
      async (response) => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: await text(response) });
      },
    );
    sent.on("error", reject).end(body);
  });
}
