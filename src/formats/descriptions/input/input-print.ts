import { formatUnit } from "../../../core/values/index.ts";
import type { Expression } from "../../../core/variables/index.ts";
import { quote, printList } from "../lexical-syntax.ts";
import type {
  DerivedLocation,
  FilenameLocation,
  InputDescription,
  InputLocation,
  Separation,
  SplitLocation,
  TableLocation,
  ValueMap,
  Cut,
  Effects,
  ExplicitLocation,
  Match,
  NamedLocation,
  Position,
  RowMark,
  TableValue,
  TextMark,
} from "./input-description.ts";
import { notationTexts } from "./value-notation.ts";
import { tableKey } from "./input-locations.ts";

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
    if (location.kind !== "table") return printLocation(location);
    const key = tableKey(location, 1);
    const number = (tables.get(key) ?? 0) + 1;
    tables.set(key, number);
    return printTable(location, number);
  });
}

function printLocation(location: Exclude<InputLocation, TableLocation>): string[] {
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
    default:
      return printSplit(location);
  }
}

function printSeparation({ mark, run, skip }: Separation): string {
  const marked = mark.kind === "named" ? [`param=${mark.name}`, ...printNamedWords(mark)] : printMark("string", mark);
  return ["SEP", ...yes("run", run), ...word("skip", skip), ...marked].join(" ");
}

function printTable(table: TableLocation, number: number): string[] {
  const { rows, start, columns, most, blanks, separator, startsRun, skipsBlank, skipPatterns = [], skipsHeads } = table;
  const shared = [
    ...rows.flatMap(printRow),
    ...(start === 0 ? ["start=0"] : word("skip", start > 1 ? start - 1 : undefined)),
    ...word("columns", columns),
    ...word("rows", most),
    ...printCut(blanks === undefined ? {} : { blanks }),
    ...quoted("separator", separator),
    ...yes("run", startsRun),
    ...yes("skip_blank", skipsBlank),
    ...skipPatterns.flatMap((source) => quoted("skip_regexp", source)),
    ...yes("skip_heads", skipsHeads),
    ...(number > 1 ? word("table", number) : []),
  ];
  return table.values.map((value) =>
    ["TABLE", value.name, ...shared, ...printEntry(value), ...word("update", value.update)].join(" "),
  );
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

/** A descriptor, unless its value is undefined. */
function word(key: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${key}=${value}`];
}

function quoted(key: string, value: string | undefined): string[] {
  return word(key, value === undefined ? undefined : quote(value));
}

function yes(key: string, flag: boolean | undefined): string[] {
  return flag ? [`${key}=yes`] : [];
}

/** `key=` for a text, `key_regexp=` for a pattern; `regexp=` if there is no key for texts. */
function printMark(key: string, mark: TextMark): string[] {
  if (mark.kind === "keyword") return quoted(key, mark.text);
  return quoted(["row", "string"].includes(key) ? "regexp" : `${key}_regexp`, mark.source);
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

function printRow(row: RowMark): string[] {
  return row.kind === "number" ? word("row", row.number) : printMark("row", row);
}

function printEntry(location: ExplicitLocation | TableValue): string[] {
  const { repetition, typed, position } = location;
  const rep = repetition === 1 ? [] : word("rep", repetition);
  return [`pos=${printPosition(position)}`, ...rep, ...(typed ? ["typed"] : []), ...printCut(location)];
}

function printPosition(position: Position): string {
  if (position.kind === "keyword") return quote(position.text);
  if (position.kind === "number") return String(position.number);
  return `${position.offset < 0 ? "" : "+"}${position.offset}`;
}

function printCut(cut: Cut): string[] {
  const { length, blanks, unit, scale, escapes, filters = [], maps = [] } = cut;
  return [
    ...word("len", length),
    ...quoted("ws", blanks === undefined ? undefined : [...blanks].join(" ")),
    ...(unit === undefined ? [] : [`unit=${unit === "text" ? "text" : quote(formatUnit(unit))}`]),
    ...word("scale", scale),
    ...notationTexts(cut).flatMap(([key, text]) => quoted(key, text)),
    ...yes("escapes", escapes),
    ...filters.flatMap(({ source, ignoreCase }) => quoted(ignoreCase ? "filter_i" : "filter", source)),
    ...maps.flatMap(printMap),
  ];
}

function printMap({ from, to }: ValueMap): string[] {
  return from.kind === "keyword"
    ? word("map", printList([from.text, to]))
    : word("map_regexp", printList([from.source, to]));
}

function printEffects({ startsRun, storesRow, update, sticky, retrigger }: Effects): string[] {
  return [
    ...yes("run", startsRun),
    ...yes("store", storesRow),
    ...word("update", update),
    ...(sticky === false ? ["sticky=no"] : []),
    ...printRetrigger(retrigger),
  ];
}

function printRetrigger(retrigger: boolean | "sticky" | undefined): string[] {
  if (retrigger === undefined || retrigger === "sticky") return word("retrigger", retrigger);
  return [`retrigger=${retrigger ? "yes" : "no"}`];
}
