/** What of the suite is run, and what of that cannot hold here. */

/** Of the suite, by the version that is run: the one before it knows no Tasks extension. */
export const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** Scenarios that apply to a server of tools and prompts, with the Tasks extension. */
export const scenarios = [
  "server-initialize",
  "server-stateless",
  "server-session-lifecycle",
  "ping",
  "tools-list",
  "prompts-list",
  "caching",
  "http-header-validation",
  "dns-rebinding-protection",
  "server-sse-multiple-streams",
  "sep-2164-resource-not-found",
  "input-required-result-unsupported-methods",
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-status-notifications",
] as const;

const noSyncTool = "needs a tool `greet` that is no task: here every tool of a type is one";
const noDiagnostics = "needs a diagnostic tool of the SDKs' test servers";
const noResources = "there are no resources";

/** Checks of these scenarios that ask for what there is not, with the reason. */
export const notApplicable: Record<string, string> = {
  "tasks-sync-tool-call": noSyncTool,
  "sep-2663-legacy-task-param-ignored": noSyncTool,
  "tasks-headers-tolerate-mcp-method-on-tools-call": noSyncTool,
  "tasks-result-type-complete-on-non-task-responses": noSyncTool,
  "sep-2575-server-rejects-undeclared-capability": noDiagnostics,
  "sep-2575-missing-capability-http-400": noDiagnostics,
  "sep-2575-http-server-no-independent-requests-on-stream": noDiagnostics,
  "sep-2575-server-no-log-without-loglevel": noDiagnostics,
  "sep-2549-resources-list-caching-hints": noResources,
  "sep-2549-resources-templates-list-caching-hints": noResources,
};
