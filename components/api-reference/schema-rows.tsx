import { limitsText, type OpenApi, resolved, type SchemaObject, typeText } from "./open-api.ts";
import { Prose } from "./prose.tsx";

export interface SchemaRow {
  name: string;
  schema: SchemaObject;
  isRequired: boolean;
}

// Deeper than any of ours; it only has to end.
const maxDepth = 5;

/** Named values with what they are; those that have members of their own open. */
export function SchemaRows({
  rows,
  document,
  depth = 0,
}: {
  rows: SchemaRow[];
  document: OpenApi;
  depth?: number;
}) {
  return (
    <dl className="divide-y rounded-md border">
      {rows.map(({ name, schema, isRequired }) => {
        const about = schema.description ?? resolved(schema, document).description;
        const limits = limitsText(schema);
        const members = depth < maxDepth ? membersWithin(schema, document) : [];
        return (
          <div key={name} className="px-3 py-1.5">
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-medium font-mono text-sm">{name}</code>
              <span className="break-words font-mono text-ink-3 text-sm">{typeText(schema)}</span>
              {isRequired && <span className="text-ink-2 text-xs">required</span>}
            </dt>
            <dd>
              {about && <Prose className="text-ink-2 text-sm" text={about} />}
              {limits && <p className="text-ink-3 text-sm">{limits}</p>}
              {members.length > 0 && (
                <details className="mt-1">
                  <summary className="cursor-pointer text-ink-2 text-sm hover:text-ink">
                    {members.length} members
                  </summary>
                  <div className="mt-1">
                    <SchemaRows rows={members} document={document} depth={depth + 1} />
                  </div>
                </details>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The members of an object, of the items of a list, or of the one choice that has any. */
function membersWithin(schema: SchemaObject, document: OpenApi): SchemaRow[] {
  const { properties, required = [], items, anyOf, oneOf } = resolved(schema, document);
  if (properties) {
    return Object.entries(properties).map(([name, member]) => ({
      name,
      schema: member,
      isRequired: required.includes(name),
    }));
  }
  const within = items ? [items] : (anyOf ?? oneOf ?? []);
  return within.map((one) => membersWithin(one, document)).find((rows) => rows.length > 0) ?? [];
}
