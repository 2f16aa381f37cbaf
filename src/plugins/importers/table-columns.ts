import {
  directionOfName,
  isEpochTime,
  mostVariables,
  namesReplicate,
  namesResult,
} from "../../core/measurements/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { type DataType, parseUnit, type Unit } from "../../core/values/index.ts";
import { type Variable, VariableNames } from "../../core/variables/index.ts";
import { reportUnit, type ReportUnit } from "../../formats/benchmarks/index.ts";
import { hasPluralMark, type SourceRow } from "../../formats/text/index.ts";
import { isIdentifier } from "./table-column-notices.ts";
import {
  areIntegers,
  type Cell,
  isMissing,
  isTimeIn,
  isVaried,
  numberOf,
  quantityUnit,
  truthIn,
} from "./table-cells.ts";

/** A column of a table: its name and its type. */
export interface SourceColumn {
  readonly variable: Variable;
  readonly unit: ReportUnit | undefined;
  /** The file has types: times are numbers. */
  readonly isTyped: boolean;
  /** Cells are numbers with units of their own, such as `86.01ns`, which are converted to this base unit. */
  readonly quantity?: string;
}

/** Metadata of a column in the file. */
export interface KnownColumn {
  /** The type of the cells. */
  readonly type: DataType;
  /** Set for exported variables: their names and numbers are not reinterpreted. */
  readonly role?: Variable["role"];
  readonly unit?: Unit;
  readonly better?: "lower" | "higher";
  readonly synopsis?: string;
}

/**
 * The columns of a table with their roles, types and units. `rows`: those that are sampled. Fails with
 * `damaged-report` when there are too many.
 */
export function columnsOf(
  headings: readonly string[],
  rows: readonly SourceRow[],
  file: string,
  known: readonly KnownColumn[],
): SourceColumn[] {
  if (headings.length > mostVariables)
    throw new Failure("damaged-report", {
      file,
      problem: `it has ${headings.length} columns; the limit is ${mostVariables}`,
    });
  const names = new VariableNames();
  const cells = rows.map((row) => row.cells);
  return headings.map((heading, at) =>
    columnOf(
      heading,
      cells.map((row) => row[at] ?? null),
      { names, headings, known: known[at], isSampled: rows.some(({ lists }) => lists?.has(at) === true) },
    ),
  );
}

interface ColumnContext {
  /** Names of the columns so far. */
  readonly names: VariableNames;
  readonly headings: readonly string[];
  readonly known: KnownColumn | undefined;
  /** Rows have lists of samples in this column. */
  readonly isSampled: boolean;
}

function columnOf(
  heading: string,
  cells: readonly Cell[],
  { names, headings, known, isSampled }: ColumnContext,
): SourceColumn {
  if (known?.role !== undefined)
    return { variable: knownVariable(names.of(heading), known, known.role), unit: undefined, isTyped: true };
  if (namesReplicate(heading) && known === undefined && typeOf(cells) === "float" && areIntegers(cells))
    return {
      variable: knownVariable(names.of(heading), { type: "integer" }, "parameter"),
      unit: undefined,
      isTyped: false,
    };
  const inferred = known?.type ?? typeOf(cells);
  const type = inferred === "float" && known === undefined && isIdentifier(heading, cells) ? "string" : inferred;
  const quantity = type === "string" && known === undefined ? quantityUnit(cells) : undefined;
  if (quantity !== undefined) return quantityColumn(names.of(heading), quantity);
  const { name, unit } = type === "float" ? splitHeading(heading, headings) : { name: heading, unit: undefined };
  const isParameter =
    type !== "float" ||
    areEpochTimes(heading, cells) ||
    (!isSampled && unit === undefined && isVaried(cells) && !namesResult(heading));
  const base = unit === undefined || unit.unit === "" ? {} : { unit: parseUnit(unit.unit) };
  const direction = unit?.unit === "s" ? "lower" : isParameter || unit?.unit ? undefined : directionOfName(heading);
  const role = isParameter ? "parameter" : "result";
  const variable = knownVariable(names.of(name), { type, ...base, better: direction }, role);
  return { variable, unit, isTyped: known !== undefined };
}

function areEpochTimes(heading: string, cells: readonly Cell[]): boolean {
  const there = cells.filter((cell) => cell !== null && !isMissing(cell));
  return there.every((cell) => isEpochTime(heading, numberOf(cell) ?? Number.NaN));
}

function quantityColumn(name: string, quantity: string): SourceColumn {
  const better = quantity === "s" ? ("lower" as const) : undefined;
  const variable = knownVariable(name, { type: "float", unit: parseUnit(quantity), better }, "result");
  return { variable, unit: undefined, isTyped: false, quantity };
}

function knownVariable(
  name: string,
  {
    type,
    unit,
    better,
    synopsis,
  }: Omit<KnownColumn, "better"> & { readonly better?: KnownColumn["better"] | undefined },
  role: Variable["role"],
): Variable {
  return {
    name,
    role,
    occurrence: "multiple",
    type,
    default: null,
    ...(unit === undefined ? {} : { unit }),
    ...(better === undefined ? {} : { better }),
    ...(synopsis === undefined ? {} : { synopsis }),
  };
}

function typeOf(cells: readonly Cell[]): DataType {
  const there = cells.filter((cell) => cell !== null && !isMissing(cell));
  if (there.length === 0) return "string";
  if (there.every((cell) => numberOf(cell) !== undefined)) return "float";
  for (const type of ["date", "timestamp"] as const)
    if (cells.every((cell) => cell === null || isTimeIn(cell, type))) return type;
  return there.every((cell) => truthIn(cell) !== undefined) ? "boolean" : "string";
}

/** `time [s]`, `time (ms)`, `time in ms`, `time_ms`, `timeMs`; undefined: no known unit. */
function splitHeading(
  heading: string,
  headings: readonly string[],
): { readonly name: string; readonly unit: ReportUnit | undefined } {
  const [, name = heading, text = ""] =
    /^(.{1,200}?)\s*[[(]([^[\]()]{1,40})[\])]$/.exec(heading) ??
    /^(.{1,200}?)\s+in\s+(\S{1,40})$/.exec(heading) ??
    /^(.{1,200})[_.](ps|ns|us|ms|s|sec|seconds|bytes|kb|mb|gb|kib|mib|gib|percent)$/i.exec(heading) ??
    [];
  const unit =
    text === "" || (text === "s" && hasPluralMark(heading))
      ? undefined
      : knownUnit(text.replace(/^([kmg])ib$/i, (_, prefix: string) => `${prefix.toUpperCase()}iByte`));
  if (unit !== undefined) return { name, unit };
  const [, stem = "", word = ""] =
    /^(.{0,199}[a-z0-9])(Ns|NS|Us|Ms|MS|Sec|Seconds|Bytes|KB|MB|GB|KiB|MiB|GiB)$/.exec(heading) ?? [];
  const suffix = stem === "" ? undefined : knownUnit(/^[num]s$/i.test(word) ? word.toLowerCase() : word);
  if (suffix === undefined || rateBefore.test(stem)) return { name: heading, unit: undefined };
  // `min` next to `minNs` is another column.
  return { name: headings.includes(stem) ? heading : stem, unit: suffix };
}

/** `opsSec`, `reqPerSec`: a rate, no time. */
const rateBefore = /(?:[Pp]er|[Oo]ps?|[Rr]eq(?:uest)?s?|[Bb]ytes|[KMGk][Bb]|[Rr]uns?|[Ii]ter(?:ation)?s?)$/;

/** Text that is not a unit stays part of the name. */
function knownUnit(text: string): ReportUnit | undefined {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase() === "sec" ? "s" : trimmed;
  const unit = reportUnit(word);
  return unit.unit === word && unit.quantity === word ? undefined : unit;
}
