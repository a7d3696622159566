import type { PollResponseJson } from "../../server/core/poll-response.ts";
import type { QuestionData } from "../../server/core/task-question.ts";

/** The server from outside, as an agent's program uses it: plain HTTP. */
export class ApiAgent {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async start(type: string, params?: unknown, labels?: Record<string, string>): Promise<string> {
    const { taskId } = await this.#send<{ taskId: string }>("POST", "/tasks", {
      type,
      params,
      labels,
    });
    return taskId;
  }

  poll(taskId: string, query: Record<string, string> = {}): Promise<PollResponseJson> {
    return this.#send("GET", `/tasks/${taskId}/poll?${new URLSearchParams(query)}`);
  }

  /** Polls until the task has ended. */
  async result(taskId: string): Promise<NonNullable<PollResponseJson["result"]>> {
    let since = "";
    for (;;) {
      const response = await this.poll(taskId, { since, timeout: "10" });
      if (response.result) return response.result;
      since = response.cursor;
    }
  }

  /** Polls until the task asks something. */
  async question(taskId: string): Promise<QuestionData> {
    let since = "";
    for (;;) {
      const response = await this.poll(taskId, {
        since,
        timeout: "10",
        waitFor: "input_or_result",
      });
      if (response.pendingQuestion) return response.pendingQuestion;
      if (response.result) throw new Error(`The task ended: ${JSON.stringify(response.result)}`);
      since = response.cursor;
    }
  }

  answer(questionId: string, answer: unknown): Promise<unknown> {
    return this.#send("POST", `/questions/${questionId}/answer`, { answer });
  }

  cancel(taskId: string, reason?: string): Promise<unknown> {
    return this.#send("POST", `/tasks/${taskId}/cancel`, { reason });
  }

  async cancelAll(): Promise<void> {
    const live = ["pending", "running", "waiting_for_input"];
    const query = new URLSearchParams(live.map((status) => ["statuses", status]));
    const { items } = await this.#send<{ items: { taskId: string }[] }>(
      "GET",
      `/tasks?limit=500&${query}`,
    );
    for (const { taskId } of items) {
      await this.#send("POST", `/tasks/${taskId}/cancel`, { force: true });
    }
  }

  async #send<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#baseUrl}/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
