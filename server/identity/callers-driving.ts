import { Forbidden } from "../core/errors.ts";
import type { DrivenAsk, DrivenOutcome } from "../engine/driver-questions.ts";
import type {
  DrivenEnd,
  DriverState,
  DriveStarted,
  DriveStartOptions,
  Driving,
} from "../engine/driving.ts";
import type { Caller } from "./caller.ts";
import type { OpenCalls } from "./open-calls.ts";

/** What every call of a driver says of itself. */
interface Call {
  driverId: string;
  leaseSeconds?: number;
}

/** Tasks driven from outside, as one caller may drive them: those it started itself. */
export class CallersDriving {
  readonly #driving: Driving;
  readonly #caller: Caller;
  readonly #openCalls: OpenCalls | null;
  readonly #requireVisible: (taskId: string) => Promise<unknown>;

  /** @param requireVisible throws for a task that does not exist for the caller. */
  constructor(
    driving: Driving,
    caller: Caller,
    openCalls: OpenCalls | null,
    requireVisible: (taskId: string) => Promise<unknown>,
  ) {
    this.#driving = driving;
    this.#caller = caller;
    this.#openCalls = openCalls;
    this.#requireVisible = requireVisible;
  }

  /** @throws Forbidden, and what {@link Driving.start} throws. */
  async start(
    type: string,
    params: unknown,
    options: Omit<DriveStartOptions, "actor">,
  ): Promise<DriveStarted> {
    const { access, actor } = this.#caller;
    if (!access.mayDrive(type)) {
      throw new Forbidden(`You may not drive tasks of the type "${type}".`, { type });
    }
    return this.#driving.start(type, params, { ...options, actor });
  }

  async heartbeat(taskId: string, call: Call): Promise<DriverState> {
    await this.#requireVisible(taskId);
    return this.#driving.heartbeat(taskId, this.#as(call));
  }

  async update(
    taskId: string,
    update: Parameters<Driving["update"]>[1],
    call: Call,
  ): Promise<DriverState> {
    await this.#requireVisible(taskId);
    return this.#driving.update(taskId, update, this.#as(call));
  }

  async progress(
    taskId: string,
    progress: Parameters<Driving["progress"]>[1],
    call: Call,
  ): Promise<DriverState> {
    await this.#requireVisible(taskId);
    return this.#driving.progress(taskId, progress, this.#as(call));
  }

  /** @throws what {@link Driving.ask} throws; Unauthorized when the key ends meanwhile. */
  async ask(
    taskId: string,
    ask: DrivenAsk,
    { signal: outer, ...call }: Call & { wait: number; signal?: AbortSignal },
  ): Promise<DriverState & DrivenOutcome> {
    await this.#requireVisible(taskId);
    const asked = (signal: AbortSignal | undefined) =>
      this.#driving.ask(taskId, ask, { ...this.#as(call), wait: call.wait, signal });
    if (this.#openCalls === null) return asked(outer);
    return this.#openCalls.hold(this.#caller, outer, asked);
  }

  async finish(taskId: string, end: DrivenEnd, call: Call): Promise<DriverState> {
    await this.#requireVisible(taskId);
    return this.#driving.finish(taskId, end, this.#as(call));
  }

  #as({ driverId, leaseSeconds }: Call) {
    return { driverId, leaseSeconds, actor: this.#caller.actor };
  }
}
