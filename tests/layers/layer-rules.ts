import type { SourceFacts, SourceImport } from "../support/source-imports.ts";

/** What the files of one layer may import. A file belongs to the first layer whose `files` fit. */
interface Layer {
  name: string;
  files: RegExp;
  /** Own files it may import, by their path. */
  own: RegExp;
  /** Own files of which it may import types. */
  ownTypes?: RegExp;
  /** Packages and Node modules it may import. */
  packages: RegExp;
}

const storageDrivers = /^(@prisma\/.+|prisma|better-sqlite3|pg|pg-boss)$/;
const webFrameworks = /^(next|react|react-dom|hono|@hono\/.+|@trpc\/.+|trpc-to-openapi)$/;
/** Fits every package but those. */
const butNot = (...refused: RegExp[]) =>
  new RegExp(`^(?!${refused.map(({ source }) => `(?:${source.replace(/^\^/, "")})`).join("|")})`);

const layers: Layer[] = [
  { name: "core", files: /^server\/core\//, own: /^server\/core\//, packages: /^zod$/ },
  {
    name: "engine",
    files: /^server\/engine\//,
    own: /^server\/(core|engine)\//,
    packages: /^(zod|node:(?!process$).+)$/,
  },
  {
    name: "stores",
    files: /^server\/stores\//,
    own: /^server\/(core|engine|stores)\//,
    packages: butNot(webFrameworks),
  },
  {
    name: "queue",
    files: /^server\/queue\//,
    own: /^server\/(core|engine|queue)\//,
    packages: butNot(webFrameworks, /^(@prisma\/.+|prisma|better-sqlite3)$/),
  },
  {
    name: "tasks",
    files: /^server\/tasks\//,
    own: /^server\/((core|engine|tasks)\/|index\.ts$)/,
    packages: butNot(webFrameworks, storageDrivers),
  },
  {
    name: "identity",
    files: /^server\/identity\//,
    own: /^server\/(core|engine|identity)\//,
    // The port alone: which store keeps identities is a matter of the wiring.
    ownTypes: /^server\/stores\/(identity|passkey)-store\.ts$/,
    packages: butNot(storageDrivers, webFrameworks),
  },
  {
    name: "push",
    files: /^server\/push\//,
    own: /^server\/(core|engine|identity|push)\//,
    ownTypes: /^server\/stores\/push-store\.ts$/,
    packages: butNot(storageDrivers, webFrameworks),
  },
  {
    name: "metrics",
    files: /^server\/metrics\//,
    own: /^server\/(core|engine|metrics)\//,
    packages: butNot(storageDrivers, webFrameworks),
  },
  {
    name: "adapters",
    files: /^server\/adapters\//,
    own: /^server\/(core|engine|identity|metrics|push|adapters)\//,
    packages: butNot(storageDrivers, /^(next|react|react-dom)$/),
  },
  {
    // A client of the server, like any other program; it checks a question as the server will.
    name: "command line",
    files: /^server\/cli\//,
    own: /^server\/(core\/|cli\/|adapters\/(client\/|(mcp\/stdio-bridge|trpc\/drive-inputs)\.ts$)|engine\/question-request\.ts$|(env|version)\.ts$)/,
    packages: butNot(webFrameworks, storageDrivers),
  },
  {
    name: "library entry",
    files: /^server\/index\.ts$/,
    own: /^server\/(core|engine|queue|stores)\//,
    packages: /^zod$/,
  },
  { name: "env", files: /^server\/env\.ts$/, own: /^server\/core\//, packages: /^(zod|node:.+)$/ },
  {
    name: "wiring",
    files: /^(server\/[^/]+\.ts|instrumentation\.ts|proxy\.ts)$/,
    own: /^(server\/|package\.json$)/,
    packages: butNot(storageDrivers),
  },
  {
    // A route of the App Router mounts a web handler, which only the runtime can hand out.
    name: "route handlers",
    files: /^app\/api\/.+\.ts$/,
    own: /^server\/(adapters\/|runtime\.ts$|shared-runtime\.ts$)/,
    packages: butNot(storageDrivers),
  },
  {
    name: "pages",
    files: /^(app|components)\//,
    own: /^(app|components|server\/core)\//,
    ownTypes: /^server\/(core|adapters\/trpc)\//,
    packages: butNot(storageDrivers, /^(node:.+|@trpc\/server|hono|@hono\/.+)$/),
  },
];

// Next replaces NEXT_RUNTIME in instrumentation.ts and NODE_ENV in proxy.ts when it builds: no
// setting is read there.
// Beside env.ts only what runs before the program (builders and launchers, tests, tools' settings),
// and instrumentation.ts, which Next tells by a variable which runtime it is loaded into.
const mayReadProcessEnv =
  /^(server\/(env\.ts|[^/]+\.mjs)|(instrumentation|proxy)\.ts|(tests|scripts)\/.+|[^/]+\.config\.(ts|mts|js|mjs))$/;

/** Every way in which a file breaks the layers, in words. */
export function layerViolations(path: string, { imports, readsProcessEnv }: SourceFacts): string[] {
  const layer = layers.find(({ files }) => files.test(path));
  const found = layer
    ? imports
        .filter((one) => !isAllowed(layer, one))
        .map(({ target }) => `${path} (${layer.name}) must not import ${target}`)
    : [];
  if (readsProcessEnv && !mayReadProcessEnv.test(path)) {
    found.push(`${path} must not read process.env; server/env.ts does`);
  }
  return found;
}

function isAllowed(layer: Layer, { target, isOwnFile, isTypeOnly }: SourceImport): boolean {
  if (!isOwnFile) return layer.packages.test(target);
  return layer.own.test(target) || (isTypeOnly && layer.ownTypes?.test(target) === true);
}
