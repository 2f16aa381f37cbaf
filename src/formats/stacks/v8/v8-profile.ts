import { Failure } from "../../../core/failures/index.ts";
import { readJsonStream, type JsonStream } from "../../json/index.ts";

/** A function in a V8 profile. */
export interface V8Frame {
  /** Empty for anonymous functions; `(program)`, `(idle)`, `(garbage collector)` for other states. */
  readonly function: string;
  /** URL or path of the script; empty for built-in functions. */
  readonly url: string;
  /** Line of its start, from 1; 0 if unknown. */
  readonly line: number;
}

/** The failure of an invalid document. */
export function notV8(file: string, reason: string): Failure {
  return new Failure("not-v8-profile", { file, reason });
}

/** Reads a document; `visit` must consume the value of each member. Fails with `not-v8-profile`. */
export function readV8Stream(
  source: AsyncIterable<Uint8Array>,
  file: string,
  visit: (key: string, json: JsonStream) => Promise<void>,
): Promise<void> {
  const refuse = (reason: string): Failure => notV8(file, reason);
  return readJsonStream(source, refuse, (json) => json.members("the document", (key) => visit(key, json)));
}

export function objectOf(value: unknown, file: string, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw notV8(file, `${what} is not an object`);
}

export function listOf(value: unknown, file: string, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw notV8(file, `${what} is not a list`);
}

export function numberOf(value: unknown, file: string, what: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw notV8(file, `${what} is not a number`);
}

/**
 * The frame of a node, and a key that identifies its function. Writers before the DevTools Protocol (Chrome 1 to 57,
 * v8-profiler) put the members of `callFrame` into the node, with lines from 1.
 */
export function frameOf(
  node: Readonly<Record<string, unknown>>,
  file: string,
): { readonly key: string; readonly frame: V8Frame } {
  const isOld = node["callFrame"] === undefined && node["functionName"] !== undefined;
  const call = isOld ? node : objectOf(node["callFrame"], file, "the callFrame of a node");
  const { functionName, url, lineNumber, columnNumber } = call;
  if (typeof functionName !== "string" || typeof url !== "string")
    throw notV8(file, "a callFrame lacks functionName or url");
  const line = typeof lineNumber === "number" && Number.isSafeInteger(lineNumber) ? lineNumber + (isOld ? 0 : 1) : 0;
  return {
    key: `${functionName}\n${url}\n${line}\n${String(columnNumber)}`,
    frame: { function: functionName, url, line: Math.max(line, 0) },
  };
}

/** Whether a frame is the artificial root above all functions. */
export function isRoot({ function: name, url }: V8Frame): boolean {
  return name === "(root)" && url === "";
}
