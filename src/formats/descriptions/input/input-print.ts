import type { Expression } from "../../../core/variables/expression.ts";
import { quote } from "../lexical-syntax.ts";
import type {
  DerivedLocation,
  FilenameLocation,
  InputDescription,
  InputLocation,
  Separation,
  SplitLocation,
  TableLocation,
} from "./input-description.ts";
import {
  printCut,
  printEffects,
  printEntry,
  printMap,
  printMark,
  printMatch,
  printNamedWords,
  printRetrigger,
  printRow,
  quoted,
  word,
  yes,
} from "./input-print-words.ts";
import { tableKey } from "./input-table.ts";

/** The expression as `parseExpression` reads it back, with no more parentheses than that takes. */
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
      return `-${printed(expression.of, !["constant", "sum", "difference", "product", "fraction", "modulo"].includes(expression.of.kind) || "name" in expression.of)}`;
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

/** How tightly a printed expression holds together: a sign 3, an atom 5. */
function levelOf(expression: Expression): number {
  if (expression.kind === "negative") return 3;
  if (expression.kind === "constant") return expression.value < 0 ? 3 : 5;
  return expression.kind === "variable" || expression.kind === "function" ? 5 : levels[expression.kind];
}

function printed(expression: Expression, bare: boolean): string {
  return bare ? printExpression(expression) : `(${printExpression(expression)})`;
}

/** The description as text; `parseInput` reads the same one back. */
export function printInput(description: InputDescription): string {
  return [...printHead(description), ...printLocations(description.locations)].map((line) => `${line}\n`).join("");
}

function printHead({ rules, id, experiment, synopsis, description, database }: InputDescription): string[] {
  const places = database
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
    ...(database ? [["DATABASE", ...places].join(" ")] : []),
  ];
}

/** Tables that differ in nothing but their columns are told apart by numbers. */
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
      return [`FIXED ${location.name} ${quote(location.content)}`];
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
  const { rows, start, columns, most, blanks, separator, separates } = table;
  const shared = [
    ...rows.flatMap(printRow),
    ...(start === 0 ? ["start=0"] : word("skip", start > 1 ? start - 1 : undefined)),
    ...word("columns", columns),
    ...word("rows", most),
    ...printCut(blanks === undefined ? {} : { blanks }),
    ...quoted("separator", separator),
    ...yes("run", separates),
    ...(number > 1 ? word("table", number) : []),
  ];
  return table.values.map((value) =>
    ["TABLE", value.name, ...shared, ...printEntry(value), ...word("update", value.update)].join(" "),
  );
}

function printFilenameWords({ matches, patterns, mode, ...cut }: FilenameLocation): string[] {
  return [
    ...matches.flatMap((match) => [...printMatch(match), ...yes("fuzzy", match.fuzzy)]),
    ...patterns.flatMap((source) => quoted("regexp", source)),
    ...word("mode", mode),
    ...printCut(cut),
  ];
}

function printDerived({ name, from, storesSet, retrigger, update }: DerivedLocation): string {
  const effects = [...yes("store", storesSet), ...word("update", update), ...printRetrigger(retrigger)];
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
