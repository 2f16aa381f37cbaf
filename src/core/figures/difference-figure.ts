import { abbreviate } from "../versions/index.ts";
import type { Block, Figure, TableBlock } from "./figure.ts";
import type {
  CodeLocation,
  ComparedProfiles,
  ComparedVersions,
  CostChange,
  DifferenceSide,
  ProfileDifference,
} from "../profiles/index.ts";
import { digitsText, formatUnit } from "../values/index.ts";

type Head = TableBlock["head"];

/** Long stacks show their innermost callers; the details have the largest ones in full. */
const shownCallers = 2;
const mostStacks = 10;

const left = (label: string): Head[number] => ({ label, align: "left" });
const right = (label: string): Head[number] => ({ label, align: "right" });

/** Where a figure is read: only the terminal has options. */
export type FigureReader = "terminal" | "page";

/** The figure for users: for each pair of profiles a line that names them, and a table per quantity. */
export function differenceFigure(
  { compared, onlyBase, onlyTarget }: ComparedVersions,
  reader: FigureReader = "terminal",
): Figure {
  const alone = [
    ...onlyBase.map((configuration) => `only in the base: ${configuration}`),
    ...onlyTarget.map((configuration) => `only in the target: ${configuration}`),
  ];
  const blocks = compared.flatMap((each) => profileBlocks(each, reader));
  return { title: "", blocks: alone.length === 0 ? blocks : [...blocks, { kind: "text", text: alone.join("\n") }] };
}

function profileBlocks(
  { configuration, base, target, otherMachine, differences }: ComparedProfiles,
  reader: FigureReader,
): Block[] {
  const machines = otherMachine ? ["note: the two profiles were measured on different machines"] : [];
  const head = [`${configuration}: ${sideText(base)} -> ${sideText(target)}`, ...machines].join("\n");
  return [{ kind: "text", text: head }, ...differences.flatMap((difference) => quantityBlocks(difference, reader))];
}

function sideText({ profile, version }: DifferenceSide): string {
  return version === null ? profile : `${profile} (${abbreviate(version)})`;
}

/** The changed stacks that end with the function of a row, the largest change first. */
export type ChangedStacks = (row: CostChange) => readonly CostChange[];

/** The table of changes of a quantity, with the stacks of each row if they are known. */
export function quantityBlocks(difference: ProfileDifference, reader: FigureReader, stacksOf?: ChangedStacks): Block[] {
  const { rows, omitted, by } = difference;
  if (rows.length === 0)
    return [
      {
        kind: "text",
        text: `${totalsText(difference)}: ${omitted === 0 ? "no difference" : `${omitted} small differences`}`,
      },
    ];
  const calls = by === "function";
  const head = [
    right("share"),
    right("change"),
    right("before"),
    right("after"),
    ...(calls ? [right("with calls")] : []),
    left(by),
    ...(calls ? [left("file")] : []),
    left("remark"),
    ...(stacksOf === undefined ? [] : [left("called by")]),
  ];
  const stacks = rows.map((row) => stacksOf?.(row) ?? []);
  const cells = rows.map((row, at) => [
    percent(row.share),
    signed(row.change),
    row.before === null ? "-" : digitsText(row.before.self),
    row.after === null ? "-" : digitsText(row.after.self),
    ...(calls ? [`${digitsText(row.before?.inclusive ?? 0)} -> ${digitsText(row.after?.inclusive ?? 0)}`] : []),
    row.name,
    ...(calls ? [row.file ?? ""] : []),
    remarkOf(row),
    ...(stacksOf === undefined ? [] : [shortTrace(stacks[at] ?? [])]),
  ]);
  const details = stacksOf === undefined ? {} : { details: stacks.map(longTraces) };
  const hint = reader === "page" ? "changed less" : `--min-share 0 --limit ${rows.length + omitted}`;
  const more: Block[] =
    omitted === 0 ? [] : [{ kind: "text", text: `${omitted} more${reader === "page" ? "" : ":"} ${hint}` }];
  return [{ kind: "table", caption: totalsText(difference), head, rows: cells, ...details }, ...more];
}

/** The innermost callers of the stack with the largest change. */
function shortTrace([first, ...others]: readonly CostChange[]): string {
  if (first === undefined) return "";
  const callers = first.name.split(";").slice(0, -1);
  const shown = callers.slice(-shownCallers).join(" > ");
  const text = callers.length > shownCallers ? `… > ${shown}` : shown || "nothing";
  return others.length === 0 ? text : `${text} and ${others.length} more`;
}

function longTraces(stacks: readonly CostChange[]): string {
  const lines = stacks.slice(0, mostStacks).map(({ name, change, before, after }) => {
    const amounts = `${signed(change)}: ${digitsText(before?.self ?? 0)} -> ${digitsText(after?.self ?? 0)}`;
    return [amounts, ...name.split(";").map((call) => `  ${call}`)].join("\n");
  });
  const more = stacks.length > lines.length ? [`${stacks.length - lines.length} more stacks changed less`] : [];
  return [...lines, ...more].join("\n");
}

/** `cycles: 150 -> 230 (+53.3 %)` */
export function totalsText({ metric, unit, before, after, isNormalised }: ProfileDifference): string {
  const word = formatUnit(unit);
  const share = before === 0 ? "" : ` (${percent(after / before - 1)})`;
  const amounts = `${metric}: ${digitsText(before)} -> ${digitsText(after)}${word === "" ? "" : ` ${word}`}`;
  return `${amounts}${share}${isNormalised ? ", compared as shares of the whole" : ""}`;
}

/** Remarks of a row: new, gone, renamed, moved. */
export function remarkOf(row: CostChange): string {
  const { before, after, renamedFrom, movedWithin } = row;
  const remarks = [
    ...(before === null ? ["new"] : after === null ? ["gone"] : []),
    ...(renamedFrom === null ? [] : [`was ${renamedText(renamedFrom, row)}`]),
    ...(movedWithin === null
      ? []
      : [isSame(movedWithin, row) ? "moved to or from what it calls" : `moved within ${movedWithin.name}`]),
  ];
  return remarks.join(", ");
}

function renamedText(from: CodeLocation, to: CodeLocation): string {
  if (from.name !== to.name) return from.name;
  return `in ${from.file ?? "another file"}`;
}

function isSame(a: CodeLocation, b: CodeLocation): boolean {
  return a.name === b.name && a.file === b.file;
}

const exactHead: Head = [
  ...["configuration", "metric", "unit", "name", "file"].map(left),
  ...["share", "change", "before", "after", "inclusive before", "inclusive after"].map(right),
  left("renamed from"),
  left("moved within"),
];

/** The figure for programs: one table with all digits. */
export function differenceTable({ compared }: ComparedVersions): Figure {
  const rows = compared.flatMap(({ configuration, differences }) =>
    differences.flatMap(({ metric, unit, rows: changes }) =>
      changes.map((row) => [configuration, metric, formatUnit(unit), ...exactCells(row)]),
    ),
  );
  return { title: "", blocks: [{ kind: "table", head: exactHead, rows }] };
}

function exactCells({ name, file, share, change, before, after, renamedFrom, movedWithin }: CostChange): string[] {
  const numbers = [share, change, before?.self, after?.self, before?.inclusive, after?.inclusive];
  return [
    name,
    file ?? "",
    ...numbers.map((each) => (each === undefined ? "" : String(each))),
    renamedFrom?.name ?? "",
    movedWithin?.name ?? "",
  ];
}

/** For JSON output: the unit as text. */
export function comparedJson({ differences, ...rest }: ComparedProfiles): object {
  return {
    ...rest,
    differences: differences.map(({ unit, ...difference }) => ({ ...difference, unit: formatUnit(unit) })),
  };
}

export function percent(share: number): string {
  return `${share < 0 ? "-" : "+"}${Math.abs(share * 100).toFixed(1)} %`;
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${digitsText(value)}`;
}
