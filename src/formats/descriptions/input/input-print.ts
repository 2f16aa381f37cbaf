import type { Expression } from "../../../core/variables/index.ts";
import { quote } from "../lexical-syntax.ts";
import type {
  DerivedLocation,
  FilenameLocation,
  InputDescription,
  InputLocation,
  Separation,
  SplitLocation,
  TableLocation,
  ExplicitLocation,
  Match,
  NamedLocation,
  TableValue,
} from "./input-description.ts";
import type { Position } from "./location-parts.ts";
import { tableKey } from "./merge-tables.ts";
import {
  printCut,
  printEffects,
  printLayout,
  printMap,
  printMark,
  printMissing,
  printRetrigger,
  printRow,
  printStart,
  quoted,
  word,
  yes,
} from "./print-words.ts";
import { printRange } from "./row-layout.ts";
import { printMatrix, printPattern, printTransposed } from "./row-location-print.ts";
import { transposedKey } from "./row-location-text.ts";

const bracketedAfterSign: readonly string[] = ["constant", "sum", "difference", "product", "fraction", "modulo"];

/** Prints an expression with minimal parentheses; `parseExpression` reads it back. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return expression.name ?? String(expression.value);
    case "variable":
      return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(expression.name) && !["e", "pi"].includes(expression.name)
        ? expression.name
        : `"${expression.name}"`;
    case "function":
      return `${expression.name}(${expression.of.map(printExpression).join(", ")})`;
    case "negative":
      return `-${printed(expression.of, !bracketedAfterSign.includes(expression.of.kind) || "name" in expression.of)}`;
    default:
      return printOperation(expression);
  }
}

const levels = { sum: 1, difference: 1, product: 2, fraction: 2, modulo: 2, power: 4 } as const;
const operators = { sum: "+", difference: "-", product: "*", fraction: "/", modulo: "%", power: "^" } as const;

type Operation = Extract<Expression, { kind: keyof typeof levels }>;

function printOperation(operation: Operation): string {
  const [first, ...more] = "of" in operation ? operation.of : [operation.left, operation.right];
  if (!first) return "";
  const level = levels[operation.kind];
  if (operation.kind === "power")
    return `${printed(first, levelOf(first) > 4)}^${printed(operation.right, levelOf(operation.right) > 2)}`;
  const left = printed(
    first,
    levelOf(first) > level || (levelOf(first) === level && !("of" in operation && first.kind === operation.kind)),
  );
  return [left, ...more.map((each) => printed(each, levelOf(each) > level))].join(` ${operators[operation.kind]} `);
}

/** The precedence of a printed expression: 3 for a sign, 5 for an atom. */
function levelOf(expression: Expression): number {
  if (expression.kind === "negative") return 3;
  if (expression.kind === "constant") return expression.value < 0 ? 3 : 5;
  return expression.kind === "variable" || expression.kind === "function" ? 5 : levels[expression.kind];
}

function printed(expression: Expression, bare: boolean): string {
  return bare ? printExpression(expression) : `(${printExpression(expression)})`;
}

/** Prints a description as text; `parseInput` reads it back. */
export function printInput(description: InputDescription): string {
  return [...printHead(description), ...printLocations(description.locations)].map((line) => `${line}\n`).join("");
}

function printHead({ rules, id, experiment, synopsis, description, database }: InputDescription): string[] {
  const fields = database
    ? [
        ...quoted("host", database.host),
        ...word("port", database.port),
        ...quoted("user", database.user),
        ...quoted("name", database.name),
      ]
    : [];
  return [
    ...(rules === "sets" ? [] : [`RULES ${rules}`]),
    ...(id === undefined ? [] : [`INPUT ${quote(id)}`]),
    ...(experiment === undefined ? [] : [`EXPERIMENT ${experiment}`]),
    ...(synopsis === undefined ? [] : [`SYNOPSIS ${quote(synopsis)}`]),
    ...(description === undefined ? [] : [`DESCRIPTION ${quote(description)}`]),
    ...(database ? [["DATABASE", ...fields].join(" ")] : []),
  ];
}

/** Numbers distinguish tables that differ only in their columns. */
function printLocations(locations: readonly InputLocation[]): string[] {
  const tables = new Map<string, number>();
  return locations.flatMap((location) => {
    if (location.kind !== "table" && location.kind !== "transposed") return printLocation(location);
    const key = location.kind + (location.kind === "table" ? tableKey(location, 1) : transposedKey(location, 1));
    const number = (tables.get(key) ?? 0) + 1;
    tables.set(key, number);
    return location.kind === "table" ? printTable(location, number) : printTransposed(location, number);
  });
}

function printLocation(location: Exclude<InputLocation, { kind: "table" | "transposed" }>): string[] {
  switch (location.kind) {
    case "separation":
      return [printSeparation(location)];
    case "named":
      return [["NAMED", location.name, ...printNamedWords(location)].join(" ")];
    case "explicit":
      return [
        ["EXPL", location.name, ...printRow(location.row), ...printEntry(location), ...printEffects(location)].join(
          " ",
        ),
      ];
    case "fixed":
      return [`FIXED ${location.name} ${quote(location.value)}`];
    case "filename":
      return [["FILENAME", location.name, ...printFilenameWords(location)].join(" ")];
    case "derived":
      return [printDerived(location)];
    case "pattern":
      return printPattern(location);
    case "matrix":
      return printMatrix(location);
    default:
      return printSplit(location);
  }
}

function printSeparation({ mark, run, skip }: Separation): string {
  const marked = mark.kind === "named" ? [`param=${mark.name}`, ...printNamedWords(mark)] : printMark("string", mark);
  return ["SEP", ...yes("run", run), ...word("skip", skip), ...marked].join(" ");
}

function printTable(table: TableLocation, number: number): string[] {
  const { rows, start, columns, most, blanks, header, startsRun, skipsBlank, skipPatterns = [], skipsHeads } = table;
  const shared = [
    ...rows.flatMap(printRow),
    ...word("header", header),
    ...printStart(start, header),
    ...word("columns", columns),
    ...word("rows", most),
    ...printCut(blanks === undefined ? {} : { blanks }),
    ...printLayout(table),
    ...yes("run", startsRun),
    ...yes("skip_blank", skipsBlank),
    ...skipPatterns.flatMap((source) => quoted("skip_regexp", source)),
    ...yes("skip_heads", skipsHeads),
    ...(number > 1 ? word("table", number) : []),
  ];
  return table.values.map((value) =>
    ["TABLE", value.name, ...shared, ...printColumn(value), ...word("update", value.update)].join(" "),
  );
}

function printColumn(value: TableValue): string[] {
  return [
    ...printEntry(value),
    ...yes("optional", value.optional),
    ...printMissing(value.missing),
    ...yes("label", value.label),
  ];
}

function printFilenameWords({ matches, patterns, keys = [], folder, mode, ...cut }: FilenameLocation): string[] {
  return [
    ...matches.flatMap((match) => [...printMatch(match), ...yes("fuzzy", match.fuzzy)]),
    ...patterns.flatMap((source) => quoted("regexp", source)),
    ...keys.flatMap((key) => quoted("key", key)),
    ...word("folder", folder),
    ...word("mode", mode),
    ...printCut(cut),
  ];
}

function printDerived({ name, from, storesRow, retrigger, update }: DerivedLocation): string {
  const effects = [...yes("store", storesRow), ...word("update", update), ...printRetrigger(retrigger)];
  const source =
    "term" in from ? ["=", printExpression(from.term)] : [`of=${from.parameter}`, ...from.maps.flatMap(printMap)];
  return ["DERIVED", name, ...effects, ...source].join(" ");
}

function printSplit({ name, enter, leave, stores, update }: SplitLocation): string[] {
  return [
    ["SPLIT", name, ...word("update", update)].join(" "),
    "ENTER",
    ...printLocations(enter).map((line) => `  ${line}`),
    "LEAVE",
    ...printLocations(leave).map((line) => `  ${line}`),
    ...stores.map((each) => `STORE ${each.name}${each.store === "current" ? "" : ` ${each.store}`}`),
    "END",
  ];
}

function printNamedWords(location: NamedLocation): string[] {
  const { aliases, patterns, matches = [], triggers = [], block, lines, leads, mode } = location;
  return [
    ...aliases.flatMap((alias) => quoted("alias", alias)),
    ...patterns.flatMap((source) => quoted("regexp", source)),
    ...matches.flatMap(printMatch),
    ...triggers.flatMap(({ mark, skip }) => [
      ...printMark("trigger", mark),
      ...(skip === 0 ? [] : word("trigger_skip", skip)),
    ]),
    ...(block?.begin ?? []).flatMap(({ mark, skip }) => [
      ...printMark("begin", mark),
      ...(skip === 0 ? [] : word("begin_skip", skip)),
    ]),
    ...(block?.end ?? []).flatMap(({ mark }) => printMark("end", mark)),
    ...word("lines", lines),
    ...(leads ? ["content=leads"] : []),
    ...word("mode", mode),
    ...printCut(location),
    ...printEffects(location),
  ];
}

function printMatch({ text, terminator }: Match): string[] {
  return [...quoted("match", text), ...quoted("terminator", terminator)];
}

function printEntry(location: ExplicitLocation | TableValue): string[] {
  const { repetition, typed, position } = location;
  const rep = repetition === 1 ? [] : word("rep", repetition);
  return [printPosition(position), ...rep, ...(typed ? ["typed"] : []), ...printCut(location)];
}

function printPosition(position: Position): string {
  return position.kind === "characters" ? `chars=${printRange(position)}` : `pos=${printNumber(position)}`;
}

function printNumber(position: Exclude<Position, { kind: "characters" }>): string {
  if (position.kind === "keyword") return quote(position.text);
  if (position.kind === "number") return String(position.number);
  return `${position.offset < 0 ? "" : "+"}${position.offset}`;
}
