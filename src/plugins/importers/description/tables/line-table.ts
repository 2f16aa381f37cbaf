import { InvalidValue, type Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { PresentValue } from "../value-reader.ts";
import type { Line } from "../line.ts";
import type { Seeker } from "../row-mark.ts";

/** Reads entries as values of a variable. */
export interface EntryReader {
  readonly variable: Variable;
  /** For messages: `float`, `integer of 2 bytes`. */
  readonly typeName: string;
  /** undefined: the text is no value. Fails with `bad-content` if the variable cannot hold the value. */
  read(text: string, line: number): PresentValue | InvalidValue | undefined;
  /** Why the value of the text, which was read last, may be another one. */
  doubt(text: string): string | undefined;
}

/** Reports a line that was not read as the description expects. */
export type ReportLine = (kind: string, line: number, text: string) => void;

/** Reads rows from lines that it examines one by one, unlike a table, which is read in bulk. */
export interface LineTable extends Seeker {
  /** Of the values of a row, in their order. */
  readonly variables: readonly Variable[];
  /** The rows that a line completes. Receives all lines that the seeker selects, in order. */
  take(line: Line): readonly (readonly Value[])[];
  /** A set, a run or the input ends before or with line `line`. */
  reset(line: number): void;
}

export const noRows: readonly (readonly Value[])[] = [];

/** The value of an entry, or why it has none. `report` receives why the value may be another one. */
export function entryValue(
  reader: EntryReader,
  text: string,
  line: number,
  report?: ReportLine,
): { readonly value: PresentValue } | { readonly problem: string } {
  const value = reader.read(text, line);
  if (value !== undefined && !(value instanceof InvalidValue)) {
    const doubt = report && reader.doubt(text);
    if (doubt !== undefined) report?.("doubt about a row", line, doubt);
    return { value };
  }
  const { typeName, variable } = reader;
  return { problem: value?.problem ?? `'${text.slice(0, 80)}' is not a valid ${typeName} for '${variable.name}'` };
}
