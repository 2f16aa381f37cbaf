import { formatUnit } from "../core/unit.ts";
import { quote } from "./description-words.ts";
import type {
  Cut,
  ExplicitLocation,
  InputDescription,
  InputLocation,
  NamedLocation,
  Position,
  RowMark,
  Separation,
  TableLocation,
  TableValue,
} from "./input-description.ts";

/** The description as text; `parseInput` reads the same locations back. */
export function printInput(description: InputDescription): string {
  return description.locations
    .map((location) =>
      printLocation(location)
        .map((line) => `${line}\n`)
        .join(""),
    )
    .join("");
}

function printLocation(location: InputLocation): string[] {
  switch (location.kind) {
    case "separation":
      return [["SEP", ...printMark(location.mark), ...(location.run ? ["run=yes"] : [])].join(" ")];
    case "named":
      return [["NAMED", location.name, ...printNamed(location)].join(" ")];
    case "explicit":
      return [["EXPL", location.name, printRow(location.row), ...printEntry(location)].join(" ")];
    case "table":
      return location.values.map((value) => ["TABLE", value.name, ...printTable(location), ...printEntry(value)].join(" "));
    case "fixed":
      return [`FIXED ${location.name} ${quote(location.content)}`];
    default:
      return [];
  }
}

function printMark(mark: Separation["mark"]): string[] {
  if (mark.kind === "named") return [`param=${mark.name}`, ...printNamed(mark)];
  return [mark.kind === "keyword" ? `string=${quote(mark.text)}` : `regexp=${quote(mark.source)}`];
}

function printNamed(location: NamedLocation): string[] {
  const aliases = location.aliases.map((alias) => `alias=${quote(alias)}`);
  return [...aliases, ...location.patterns.map((source) => `regexp=${quote(source)}`), ...printCut(location)];
}

function printTable({ rows: [row], start, blanks }: TableLocation): string[] {
  return [
    ...(row ? [printRow(row)] : []),
    ...(start > 1 ? [`skip=${start - 1}`] : []),
    ...printCut(blanks === undefined ? {} : { blanks }),
  ];
}

function printRow(row: RowMark): string {
  if (row.kind === "pattern") return `regexp=${quote(row.source)}`;
  return `row=${row.kind === "number" ? row.number : quote(row.text)}`;
}

function printEntry(location: ExplicitLocation | TableValue): string[] {
  const { repetition, typed, position } = location;
  return [
    `pos=${printPosition(position)}`,
    ...(repetition === 1 ? [] : [`rep=${repetition}`]),
    ...(typed ? ["typed"] : []),
    ...printCut(location),
  ];
}

function printPosition(position: Position): string {
  return position.kind === "keyword" ? quote(position.text) : String(position.kind === "number" ? position.number : position.offset);
}

function printCut({ length, blanks, unit }: Cut): string[] {
  return [
    ...(length === undefined ? [] : [`len=${length}`]),
    ...(blanks === undefined ? [] : [`ws=${quote([...blanks].join(" "))}`]),
    ...(unit === undefined ? [] : [`unit=${unit === "text" ? "text" : quote(formatUnit(unit))}`]),
  ];
}
