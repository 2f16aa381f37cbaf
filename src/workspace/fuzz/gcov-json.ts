import { isAbsolute, resolve } from "node:path";
import { Failure } from "../../core/errors.ts";

/** How often a line was executed. */
export interface LineCount {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly count: number;
}

/**
 * What `gcov --json-format --stdout` prints: for each object one JSON document on a line (GCC's manual, "JSON intermediate format", version 1 and 2).
 * A line that several objects or instances of a template have is the sum. Fails with `coverage-unreadable`.
 */
export function readGcovLines(output: Uint8Array): LineCount[] {
  const lines = new Map<string, LineCount>();
  for (const text of new TextDecoder().decode(output).split("\n")) {
    if (text.trim() === "") continue;
    for (const counted of linesOf(parsed(text))) {
      const key = `${counted.line} ${counted.file}`;
      lines.set(key, { ...counted, count: counted.count + (lines.get(key)?.count ?? 0) });
    }
  }
  return [...lines.values()];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure("coverage-unreadable", { reason: `gcov did not print JSON but '${text.slice(0, 80)}'` }, error);
  }
}

function linesOf(document: unknown): LineCount[] {
  const folder = member(document, "current_working_directory");
  return list(member(document, "files")).flatMap((file) => {
    const name = member(file, "file");
    if (typeof name !== "string") return [];
    const path = isAbsolute(name) ? name : resolve(typeof folder === "string" ? folder : "/", name);
    return list(member(file, "lines")).map((line) => ({
      file: path,
      line: number(member(line, "line_number")),
      count: number(member(line, "count")),
    }));
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
