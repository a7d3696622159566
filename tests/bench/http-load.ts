import { connect, type Socket } from "node:net";

export interface Load {
  p50Micros: number;
  p99Micros: number;
  perSecond: number;
}

/**
 * Sends one request over and over, each connection the next one after its response, and measures.
 * It speaks HTTP over bare sockets, so that the client's own cost hides little of the server's.
 */
export async function measureLoad(options: {
  port: number;
  path: string;
  connections: number;
  seconds: number;
}): Promise<Load> {
  const { port, path, connections, seconds } = options;
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: */*\r\n\r\n`;
  const micros: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await openClient(port);
      while (performance.now() < end) {
        const began = performance.now();
        await client.send(request);
        micros.push((performance.now() - began) * 1000);
      }
      client.close();
    }),
  );
  micros.sort((a, b) => a - b);
  const at = (part: number) => Math.round(micros[Math.floor(micros.length * part)] ?? 0);
  return {
    p50Micros: at(0.5),
    p99Micros: at(0.99),
    perSecond: Math.round(micros.length / seconds),
  };
}

async function openClient(port: number) {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect(port, "127.0.0.1", () => resolve(opening));
    opening.setNoDelay(true).once("error", reject);
  });
  let received = "";
  let done: (() => void) | null = null;
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
    if (!isWhole(received)) return;
    if (!received.startsWith("HTTP/1.1 200")) throw new Error(received.slice(0, 500));
    received = "";
    done?.();
  });
  return {
    send: (request: string) =>
      new Promise<void>((resolve) => {
        done = resolve;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function isWhole(response: string): boolean {
  const head = response.indexOf("\r\n\r\n");
  if (head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(response)?.[1];
  if (length !== undefined) return response.length >= head + 4 + Number(length);
  return response.endsWith("0\r\n\r\n");
}
