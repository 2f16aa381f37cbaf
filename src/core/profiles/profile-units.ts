import { isObject, type Json, findUnit, formatUnit, type Unit } from "../values/index.ts";
import type { Run } from "./run.ts";

/**
 * The unit of a number from the header of a profile: of `type(subtype)`, else of the type; for amounts, else the first.
 */
export function unitsOf(run: Run): (column: string, type: string, subtype: string) => string {
  const header = run.extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const unitOf = (key: string): string | undefined => textOf(isObject(units) ? units.get(key) : undefined);
  const first = textOf(isObject(units) ? [...units.values()][0] : undefined) ?? "";
  const type = String(run.fixed.get("type") ?? "");
  return (column, own, subtype) => {
    if (column !== "amount") return unitOf(`${own || type}(${column})`) ?? "";
    return unitOf(`${own}(${subtype})`) ?? unitOf(own) ?? first;
  };
}

function textOf(json: Json | undefined): string | undefined {
  return typeof json === "string" ? json : undefined;
}

/** undefined for an unknown unit. */
export function parsedUnit(text: string | undefined): Unit | undefined {
  const unit = text === undefined || text === "" ? undefined : findUnit(text);
  return unit === undefined || formatUnit(unit) === "" ? undefined : unit;
}
