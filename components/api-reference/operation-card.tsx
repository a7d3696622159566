import type { ReactNode } from "react";
import { cn } from "../ui/cn.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { curlText, type OpenApi, type Operation, resolved, type SchemaObject } from "./open-api.ts";
import { Prose } from "./prose.tsx";
import { type SchemaRow, SchemaRows } from "./schema-rows.tsx";

/** One operation: what it takes, what it answers, and a call to paste. */
export function OperationCard({
  operation,
  document,
}: {
  operation: Operation;
  document: OpenApi;
}) {
  const {
    operationId,
    method,
    path,
    summary,
    description,
    parameters = [],
    requestBody,
  } = operation;
  const rows = (place: "path" | "query" | "header"): SchemaRow[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description: about }) => ({
        name,
        schema: { ...schema, description: about ?? schema.description },
        isRequired: required === true,
      }));
  const body = requestBody?.content["application/json"]?.schema;
  return (
    <article
      id={operationId}
      aria-labelledby={`${operationId}-title`}
      className="scroll-mt-4 rounded-lg border bg-surface p-4 sm:p-5"
    >
      <h3 id={`${operationId}-title`} className="font-semibold">
        <a href={`#${operationId}`} className="hover:underline">
          {summary}
        </a>
      </h3>
      <p className="mt-1 flex flex-wrap items-center gap-2 font-mono text-sm">
        <span
          className={cn(
            "rounded-sm border px-1.5 py-px",
            method === "GET" ? "text-ink-2" : "border-ink bg-ink text-on-ink",
          )}
        >
          {method}
        </span>
        <span className="break-all">{path}</span>
      </p>
      {description && <Prose className="mt-2 max-w-[72ch] text-ink-2" text={description} />}
      <div className="mt-4 grid items-start gap-x-8 gap-y-5 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Part title="In the path" rows={rows("path")} document={document} />
          <Part title="In the query" rows={rows("query")} document={document} />
          <Part title="Headers" rows={rows("header")} document={document} />
          {body && <Part title="Body" rows={membersOf(body, document)} document={document} />}
          <Responses operation={operation} document={document} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Code title="Call" text={curlText(operation, baseOf(document))} />
          <ResponseExample operation={operation} document={document} />
        </div>
      </div>
    </article>
  );
}

function baseOf({ servers }: OpenApi): string {
  return `${window.location.origin}${servers[0]?.url ?? ""}`;
}

function membersOf(schema: SchemaObject, document: OpenApi): SchemaRow[] {
  const { properties = {}, required = [] } = resolved(schema, document);
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
  }));
}

function Part({ title, rows, document }: { title: string; rows: SchemaRow[]; document: OpenApi }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Label>{title}</Label>
      <SchemaRows rows={rows} document={document} />
    </div>
  );
}

function Label({ children }: { children: ReactNode }) {
  return <h4 className="mb-1 text-ink-3 text-sm">{children}</h4>;
}

function Responses({ operation, document }: { operation: Operation; document: OpenApi }) {
  return (
    <div>
      <Label>Answers</Label>
      <dl className="divide-y rounded-md border">
        {Object.entries(operation.responses).map(([status, response]) => {
          const { description = "", content = {} } = resolved(response, document);
          const [media] = Object.values(content);
          const isSuccess = status.startsWith("2");
          const members = isSuccess && media ? membersOf(media.schema, document) : [];
          return (
            <div key={status} className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-2 px-3 py-1.5">
              <dt className="font-mono text-sm">{status}</dt>
              <dd className="min-w-0">
                <Prose className="text-ink-2 text-sm" text={description} />
                {members.length > 0 && (
                  <details className="mt-1">
                    <summary className="cursor-pointer text-ink-2 text-sm hover:text-ink">
                      {members.length} members
                    </summary>
                    <div className="mt-1">
                      <SchemaRows rows={members} document={document} />
                    </div>
                  </details>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

function ResponseExample({ operation, document }: { operation: Operation; document: OpenApi }) {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const content = success && resolved(success[1], document).content;
  const example = content && Object.values(content)[0]?.example;
  if (example === undefined) return null;
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return <Code title={`Answer, ${success?.[0]}`} text={text} />;
}

function Code({ title, text }: { title: string; text: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex items-center text-ink-3 text-sm">
        {title}
        <CopyButton className="ml-auto" label="Copy" text={() => text} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border bg-sunken p-3 font-mono text-sm"
      >
        {text}
      </pre>
    </figure>
  );
}
