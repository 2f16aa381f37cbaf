import type { Failure } from "../../core/errors.ts";
import { isList, isObject, JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { deepestTrace, type Frame } from "../traces/call-trace.ts";
import { damagedReport, type HeapReport, type HeapSite } from "./heap-report.ts";
import { readJson } from "../json/json.ts";
import { valgrindFrame } from "./valgrind-frame.ts";
import { wholeSource } from "../bytes/whole-source.ts";

/** Larger reports are refused: JSON is read at once. */
const most = 512 << 20;

/** The columns of a place, by DHAT's fields; all but the first two are missing in reports of the modes copy and ad-hoc. */
const columns = [
  ["amount", "tb"],
  ["blocks", "tbk"],
  ["lifetime", "tl"],
  ["most", "mb"],
  ["at-peak", "gb"],
  ["at-end", "eb"],
  ["reads", "rb"],
  ["writes", "wb"],
] as const;

/**
 * Reads what valgrind's DHAT writes (https://valgrind.org/docs/manual/dh-manual.html, file version 2 of valgrind 3.17 and later): the bytes and blocks that
 * each place allocated in the whole run. Fails with `heap-report-damaged`, `not-json`, `file-too-large`.
 */
export async function readDhat(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const json = readJson(await wholeSource(source, file, most), file);
  const damaged = (reason: string): Failure => damagedReport(file, 1, reason);
  if (!isObject(json) || !isNumber(json.get("dhatFileVersion"))) throw damaged("it is not a report of DHAT");
  if (numberAt(json, "dhatFileVersion") !== 2) throw damaged(`it is of version ${numberAt(json, "dhatFileVersion")}, not 2`);
  const [points, table, mode, unit] = ["pps", "ftbl", "mode", "tu"].map((name) => json.get(name));
  if (!isList(points) || !isList(table)) throw damaged("it has no program points");
  if (!table.every((text) => typeof text === "string")) throw damaged("its table of frames holds what is no text");
  const frames = table.map(valgrindFrame);
  const subtype = typeof mode === "string" && mode !== "" ? mode : "heap";
  const sites = points.map((point, at) => siteOf(point, frames, subtype) ?? refused(at));
  const params = jsonObject({ mode: subtype, time_unit: typeof unit === "string" ? unit : "" });
  const [cmd, process] = [json.get("cmd"), numberAt(json, "pid")];
  return { tool: "dhat", cmd: typeof cmd === "string" ? cmd : "", ...(process === undefined ? {} : { process }), sites, params };

  function refused(at: number): never {
    throw damaged(`its program point ${at} makes no sense`);
  }
}

function siteOf(point: Json, table: readonly Frame[], subtype: string): HeapSite | undefined {
  const calls = isObject(point) ? point.get("fs") : undefined;
  if (!isObject(point) || !isList(calls)) return undefined;
  const frames = calls.slice(0, deepestTrace).map((call) => (isNumber(call) ? table[call.value] : undefined));
  const amounts = columns.flatMap(([name, field]) => (point.has(field) ? [[name, numberAt(point, field)] as const] : []));
  const isWhole = frames.every((frame) => frame !== undefined) && amounts.every(([, amount]) => amount !== undefined);
  if (!isWhole || !point.has("tb") || !point.has("tbk")) return undefined;
  return { frames, subtype, amounts: new Map(amounts as (readonly [string, number])[]) };
}

function isNumber(json: Json | undefined): json is JsonNumber {
  return json instanceof JsonNumber;
}

/** undefined unless it is a whole number that is not negative. */
function numberAt(object: JsonObject, name: string): number | undefined {
  const json = object.get(name);
  return isNumber(json) && Number.isSafeInteger(json.value) && json.value >= 0 ? json.value : undefined;
}
