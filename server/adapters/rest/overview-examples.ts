const measures = {
  started: 41,
  completed: 36,
  failed: 2,
  cancelled: 1,
  asked: 9,
  answered: 7,
  declined: 1,
  timedOut: 1,
  withdrawn: 0,
  workedSeconds: 913.4,
  failureRate: 0.0526,
  answerP50: 32,
  answerP95: 410,
};

export const overviewExample = {
  range: "24h",
  from: "2026-11-29T17:15:00.000000Z",
  slotSeconds: 900,
  live: {
    pending: 1,
    running: 2,
    waiting: 1,
    byType: [{ type: "deploy", status: "waiting_for_input", count: 1 }],
  },
  longestWaiting: [
    {
      questionId: "q_3HtWm9RkPzVx7nYqLdGb2f",
      taskId: "task_6FkN2vQwXyBt8rLmZpDc4s8w",
      taskType: "deploy",
      prompt: "Pre-deploy found 2 issues. Proceed anyway?",
      askedAt: "2026-11-30T17:04:06.120450Z",
      deadline: "2026-11-30T17:09:06.120450Z",
    },
  ],
  total: measures,
  slots: [{ at: "2026-11-30T17:00:00.000000Z", ...measures }],
  types: [{ type: "deploy", ...measures }],
};

export const statsExample = {
  tasks: {
    pending: 1,
    running: 2,
    waiting_for_input: 1,
    completed: 4120,
    failed: 31,
    cancelled: 17,
  },
  openQuestions: 1,
  waitingPolls: 3,
};
