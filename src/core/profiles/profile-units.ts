import { isFailure } from "../failures/failure.ts";
import { isObject, type Json } from "../values/json.ts";
import type { Run } from "./run.ts";
import { formatUnit, parseUnit, type Unit } from "../values/unit.ts";

/**
 * The unit of a number as the header of a profile says it: of `type(subtype)`, else of the type; amounts are else in
 * the first.
 */
export function unitsOf(run: Run): (column: string, type: string, subtype: string) => string {
  const header = run.extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const told = (key: string): string | undefined => textOf(isObject(units) ? units.get(key) : undefined);
  const first = textOf(isObject(units) ? [...units.values()][0] : undefined) ?? "";
  const type = String(run.fixed.get("type") ?? "");
  return (column, own, subtype) => {
    if (column !== "amount") return told(`${own || type}(${column})`) ?? "";
    return told(`${own}(${subtype})`) ?? told(own) ?? first;
  };
}

function textOf(json: Json | undefined): string | undefined {
  return typeof json === "string" ? json : undefined;
}

/** A unit that is none of ours is left out. */
export function parsedUnit(text: string | undefined): Unit | undefined {
  try {
    const unit = text === undefined || text === "" ? undefined : parseUnit(text);
    return unit === undefined || formatUnit(unit) === "" ? undefined : unit;
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}
