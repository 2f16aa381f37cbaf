import { type Document, isMap, isScalar, LineCounter, parseDocument, stringify, type YAMLMap } from "yaml";
import { Failure } from "../../core/failures/index.ts";
import { isSettings, type Setting } from "../../core/values/index.ts";

/** Limits: bytes of a file, and levels of nesting. */
const maximumLength = 1 << 20;
const maximumDepth = 64;

/**
 * Reads one YAML document (core schema of YAML 1.2 without other tags, at most 100 resolved aliases). Fails with
 * `bad-config`, which names `file`.
 */
export function readYaml(text: string, file: string): Setting {
  return toSetting(resolved(parse(text, file), file), file);
}

/**
 * The text with the value at `path` replaced or added. Comments and the order of keys are kept. Fails with
 * `config-conflict` if a prefix of the path exists and is not a mapping.
 */
export function editYaml(text: string, file: string, path: readonly string[], value: Setting): string {
  const document = parse(text, file);
  resolved(document, file);
  if (document.contents === null) document.contents = document.createNode({}) as unknown as typeof document.contents;
  for (let depth = 0; depth < path.length; depth++) {
    const parent = path.slice(0, depth);
    const node = depth === 0 ? document.contents : document.getIn(parent, true);
    if (isScalar(node) && node.value === null) document.setIn(parent, document.createNode({}));
    else if (node !== undefined && !isMap(node)) throw conflict(file, path, parent);
  }
  const old = document.getIn(path, true);
  if (isScalar(old) && (value === null || typeof value !== "object")) old.value = value;
  else document.setIn(path, document.createNode(plain(value)));
  return document.toString({ lineWidth: 0 });
}

/** The value as YAML text with a trailing newline. */
export function printYaml(value: Setting): string {
  return stringify(plain(value), { lineWidth: 0 });
}

function conflict(file: string, path: readonly string[], parent: readonly string[]): Failure {
  return new Failure("config-conflict", { key: path.join("."), file, parent: parent.join(".") || "the file" });
}

function parse(text: string, file: string): Document.Parsed<YAMLMap.Parsed> {
  if (text.length > maximumLength)
    throw new Failure("bad-config", { file, reason: "larger than 1 MiB", instead: "shorten it" });
  const lines = new LineCounter();
  requireShallow(text, file);
  const document = parseDocument<YAMLMap.Parsed>(text, {
    lineCounter: lines,
    version: "1.2",
    schema: "core",
    customTags: [],
    prettyErrors: false,
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) {
    const position = lines.linePos(problem.pos[0]);
    throw new Failure("bad-config", {
      file,
      line: position.line,
      column: position.col,
      reason: firstLine(problem.message),
    });
  }
  return document;
}

/**
 * The parser needs quadratic time for deep nesting, so an upper bound of the depth is computed from the text first:
 * open brackets, indentation levels, and the list and key marks at the start of a line.
 */
function requireShallow(text: string, file: string): void {
  let brackets = 0;
  const indents: number[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const marks = /^[ ]*((?:[-?:][ \t]+)*)/.exec(line);
    const indent = line.length - line.trimStart().length;
    if (line.length === indent || line[indent] === "#") continue;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    for (const character of line) {
      if (character === "[" || character === "{") brackets++;
      else if ((character === "]" || character === "}") && brackets > 0) brackets--;
      if (brackets > maximumDepth) throw tooDeep(file, at);
    }
    if (indents.length + Math.ceil((marks?.[1]?.length ?? 0) / 2) > maximumDepth) throw tooDeep(file, at);
  }
}

function tooDeep(file: string, at: number): Failure {
  return new Failure("bad-config", {
    file,
    line: at + 1,
    column: 1,
    reason: `nested deeper than ${maximumDepth} levels`,
    instead: "flatten it",
  });
}

function resolved(document: Document, file: string): unknown {
  try {
    return document.toJS({ mapAsMap: true, maxAliasCount: 100 });
  } catch (error) {
    throw new Failure("bad-config", { file, reason: firstLine((error as Error).message) }, error);
  }
}

function toSetting(value: unknown, file: string): Setting {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => toSetting(item, file));
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [keyText(key, file), toSetting(item, file)] as const));
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") return value;
  throw new Failure("bad-config", { file, reason: `a value of a kind that is not supported (${typeof value})` });
}

function keyText(key: unknown, file: string): string {
  if (key !== null && typeof key === "object")
    throw new Failure("bad-config", { file, reason: "a key is a list or mapping" });
  return String(key);
}

/** For the printer: maps keep their order, lists become arrays that it may modify. */
function plain(value: Setting): unknown {
  if (isSettings(value)) return new Map([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
