import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy between browser and server that fails as those in the world do. */
export class FaultProxy {
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  #refuses = false;

  private constructor(targetPort: number) {
    this.#server = createServer((near) => {
      if (this.#refuses) {
        near.destroy();
        return;
      }
      const far = connect(targetPort, "127.0.0.1");
      const pair: [Socket, Socket] = [near, far];
      this.#pairs.add(pair);
      near.pipe(far);
      far.pipe(near);
      for (const socket of pair) {
        socket.on("error", () => {});
        socket.on("close", () => {
          this.#pairs.delete(pair);
          near.destroy();
          far.destroy();
        });
      }
    });
  }

  static async start(targetPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Present connections stay open and carry nothing any more, in either direction; new ones work. */
  dropSilently(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far);
      far.unpipe(near);
      // Read and thrown away, so that neither side notices.
      near.resume();
      far.resume();
    }
  }

  /** Ends all connections, and refuses others until {@link restore}. */
  cut(): void {
    this.#refuses = true;
    for (const [near] of this.#pairs) near.destroy();
  }

  restore(): void {
    this.#refuses = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
