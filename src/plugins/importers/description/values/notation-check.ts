import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue, timeFormat, type DataType } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import { notationTexts, type Notation } from "../../../../formats/descriptions/index.ts";

/** Fails with `notation-mismatch` when values of the variable's type cannot have the notation. */
export function checkNotation({ name, type }: Variable, notation: Notation): void {
  const wrong = notationTexts(notation).find(([key]) => !typesOf(key).includes(type));
  if (wrong)
    throw new Failure("notation-mismatch", { variable: name, problem: `${wrong[0]}= is not for type ${type}` });
  const compiled = notation.format === undefined ? undefined : timeFormat(notation.format);
  if (compiled === undefined || compiled instanceof InvalidValue) return;
  const [state, text] = type === "timeofday" ? (["clock", "time of day"] as const) : (["date", "date"] as const);
  if (compiled.states.includes(state)) return;
  throw new Failure("notation-mismatch", { variable: name, problem: `the format '${compiled.source}' has no ${text}` });
}

/** The types whose values have the notation. */
function typesOf(key: keyof Notation): readonly DataType[] {
  if (key === "format") return ["date", "timeofday", "timestamp"];
  return key === "zone" ? ["timestamp"] : ["integer", "float"];
}
