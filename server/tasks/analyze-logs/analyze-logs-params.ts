import { z } from "zod";

const file = z
  .string()
  .min(1)
  .max(1000)
  .refine((path) => !path.includes("\0"), "must not contain a NUL character");

/** Parameters of the task type `analyze_logs`. */
export const analyzeLogsParams = z.strictObject({
  files: z
    .array(file)
    .min(1)
    .max(100)
    .meta({
      title: "Files",
      description:
        "Log files to read, as paths relative to the server's files root (no wildcards). Plain text or gzip.",
      examples: [["app.log", "db.log", "web.log"]],
    }),
  minLevel: z.enum(["error", "warning", "info"]).default("warning").meta({
    title: "Least serious level",
    description: "Messages of this level and more serious ones go into the report.",
  }),
  maxGroups: z.int().min(1).max(100).default(20).meta({
    title: "Groups at most",
    description: "How many groups of repeated messages are offered and reported.",
  }),
  ask: z.enum(["onErrors", "always", "never"]).default("onErrors").meta({
    title: "Ask which groups to report",
    description:
      "onErrors: a person is asked when errors were found. always: also without errors. never: all groups are reported.",
  }),
  answerTimeout: z.number().positive().max(604_800).default(600).meta({
    title: "Time to answer",
    description: "Seconds until all groups are reported because nobody answered.",
  }),
});

export type AnalyzeLogsParams = z.output<typeof analyzeLogsParams>;
