import { readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { parseSync, Visitor } from "vite";

/** One import, re-export or `import()` of a source file. */
export interface SourceImport {
  /** A path from the repository's root for the project's own files, else the package's name. */
  target: string;
  isOwnFile: boolean;
  /** Only types: nothing of it is left when the program runs. */
  isTypeOnly: boolean;
}

export interface SourceFacts {
  imports: SourceImport[];
  readsProcessEnv: boolean;
}

/** Reads what a TypeScript file imports, and whether it touches `process.env`. */
export function readSource(root: string, path: string): SourceFacts {
  return parseSource(path, readFileSync(join(root, path), "utf8"));
}

/** The same for text that is in no file. `path` is where it would be, from the root. */
export function parseSource(path: string, text: string): SourceFacts {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: SourceImport[] = [];
  let readsProcessEnv = false;
  const add = (specifier: unknown, isTypeOnly: boolean) => {
    if (typeof specifier !== "string") return;
    imports.push({ ...resolveSpecifier(path, specifier), isTypeOnly });
  };
  new Visitor({
    ImportDeclaration(node) {
      const namesOnlyTypes =
        node.specifiers.length > 0 &&
        node.specifiers.every((one) => one.type === "ImportSpecifier" && one.importKind === "type");
      add(node.source.value, node.importKind === "type" || namesOnlyTypes);
      const names = node.specifiers.map((one) => "imported" in one && nameOf(one.imported));
      if (/^(node:)?process$/.test(node.source.value) && names.includes("env")) {
        readsProcessEnv = true;
      }
    },
    ExportNamedDeclaration(node) {
      const namesOnlyTypes =
        node.specifiers.length > 0 && node.specifiers.every((one) => one.exportKind === "type");
      if (node.source) add(node.source.value, node.exportKind === "type" || namesOnlyTypes);
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.exportKind === "type");
    },
    ImportExpression(node) {
      add("value" in node.source ? node.source.value : undefined, false);
    },
    TSImportType(node) {
      add(node.source.value, true);
    },
    CallExpression(node) {
      const isRequire = node.callee.type === "Identifier" && node.callee.name === "require";
      const [argument] = node.arguments;
      if (isRequire && argument && "value" in argument) add(argument.value, false);
    },
    MemberExpression(node) {
      const isProcess = node.object.type === "Identifier" && node.object.name === "process";
      if (isProcess && nameOf(node.property) === "env") readsProcessEnv = true;
    },
  }).visit(program);
  return { imports, readsProcessEnv };
}

/** The text of an identifier or a string literal. */
function nameOf(node: object): unknown {
  if ("name" in node) return node.name;
  return "value" in node ? node.value : undefined;
}

function resolveSpecifier(from: string, specifier: string) {
  if (specifier.startsWith(".")) {
    return { target: normalize(join(dirname(from), specifier)), isOwnFile: true };
  }
  if (specifier.startsWith("@/")) return { target: specifier.slice(2), isOwnFile: true };
  if (specifier.startsWith("/")) return { target: relative("/", specifier), isOwnFile: true };
  if (specifier.startsWith("node:")) return { target: specifier, isOwnFile: false };
  const parts = specifier.split("/");
  const target = parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  return { target, isOwnFile: false };
}
