import { join } from "node:path";
import { isFailure } from "../core/errors.ts";
import { isObject, type Json } from "../core/json.ts";
import { packJson, unpackJson } from "../formats/store/packed-json.ts";
import { writeDurably } from "./durable-file.ts";
import { readPlainFile } from "./plain-file.ts";

/** How a temporary file is written, and whether it is to stay. */
export interface TempMarks {
  readonly json: boolean;
  readonly protected: boolean;
  readonly compressed: boolean;
}

export const unmarked: TempMarks = { json: false, protected: false, compressed: false };

/**
 * `tmp/.index`: the marks of files by their path below `folder`. Perun lists them by absolute path, so a store that was moved or copied is recognised
 * by what follows the last `/.perun/tmp/`. Files without marks are not in it. A damaged one counts as empty.
 */
export function readTempIndex(folder: string): Map<string, TempMarks> {
  const path = join(folder, ".index");
  const bytes = readPlainFile(path);
  try {
    const json = bytes === null ? null : unpackJson(bytes, path);
    const entries = isObject(json ?? undefined) ? [...(json as ReadonlyMap<string, Json>)] : [];
    return new Map(entries.map(([key, value]) => [relativeTo(folder, key), marksOf(value)]));
  } catch (error) {
    if (isFailure(error, "packed-json-damaged")) return new Map();
    throw error;
  }
}

export function writeTempIndex(folder: string, marks: ReadonlyMap<string, TempMarks>): void {
  const entries = [...marks].map(([path, each]) => [join(folder, path), new Map(Object.entries(each))] as const);
  writeDurably(join(folder, ".index"), [packJson(new Map(entries))]);
}

function relativeTo(folder: string, path: string): string {
  if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  const mark = "/.perun/tmp/";
  const at = path.lastIndexOf(mark);
  return at < 0 ? path : path.slice(at + mark.length);
}

function marksOf(json: Json): TempMarks {
  const is = (name: string): boolean => isObject(json) && json.get(name) === true;
  return { json: is("json"), protected: is("protected"), compressed: is("compressed") };
}
