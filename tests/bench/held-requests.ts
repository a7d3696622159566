import { connect } from "node:net";

/**
 * Opens connections and sends one request on each, for a server that holds its response.
 *
 * @returns once all are sent; `answered` resolves when each has begun to be answered.
 */
export async function holdRequests(port: number, path: string, count: number) {
  const request =
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
    "Accept: application/json\r\nUser-Agent: toolthread-bench\r\n\r\n";
  const answers: Promise<void>[] = [];
  const open = () =>
    new Promise<void>((sent, fail) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(request, () => sent()));
      socket.once("error", fail);
      answers.push(
        new Promise((answered) =>
          socket.once("data", () => {
            answered();
            socket.destroy();
          }),
        ),
      );
    });
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - opened) }, open));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { answered: Promise.all(answers) };
}
