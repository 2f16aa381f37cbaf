import { show as draw } from "../../../commands/profiles/show.ts";
import type { Figure } from "../../../core/figures/figure.ts";
import type { Setting } from "../../../core/values/setting.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";

const look: readonly OptionSpec[] = [
  { flags: "-f, --filename <file>", synopsis: "the file that is written (default: VIEW.html)" },
  { flags: "--x-axis-label <text>", synopsis: "what the lying axis is called", also: ["-xl"] },
  { flags: "--y-axis-label <text>", synopsis: "what the upright axis is called", also: ["-yl"] },
  { flags: "--graph-title <text>", synopsis: "what stands above it", also: ["-gt"] },
  { flags: "-v, --view-in-browser", synopsis: "tell the address for a browser; none is started" },
];

const of: OptionSpec = { flags: "-o, --of <column>", synopsis: "what is shown (default: amount)" };
const by: OptionSpec = { flags: "-b, --by <column>", synopsis: "with a part for each content of this column" };
const stacked: OptionSpec = { flags: "-s, --stacked", synopsis: "parts upon each other (default)" };

/** The options of Perun's views that draw charts. */
export const chartOptions: Readonly<Record<string, readonly OptionSpec[]>> = {
  bars: [
    of,
    { flags: "-p, --per <column>", synopsis: "with a bar for each content of this column" },
    by,
    stacked,
    { flags: "-g, --grouped", synopsis: "parts side by side" },
    ...look,
  ],
  flow: [
    of,
    { flags: "-t, --through <column>", synopsis: "along the numbers of this column" },
    by,
    stacked,
    { flags: "--accumulate", synopsis: "sums of what came so far (default)" },
    { flags: "--no-accumulate", synopsis: "what each place adds" },
    ...look,
  ],
  flamegraph: [
    { flags: "-f, --filename <file>", synopsis: "the file that is written (default: flame.svg)" },
    { flags: "-h, --graph-height <pixels>", synopsis: "how high a row is (default: 20)" },
  ],
  scatter: [of, { flags: "-p, --per <column>", synopsis: "along this column" }, ...look],
};

/** Perun's names of files that are not called after the view. */
const names: Readonly<Record<string, string>> = { scatter: "scatter", flamegraph: "flame.svg" };

/**
 * Draws into files, under Perun's names where none is given. Perun writes a file for each location of a scatter plot,
 * and so do we.
 */
export async function showChart(session: Session, args: Arguments, view: string): Promise<number> {
  const [minor, what] = [args.text("minor"), args.maybeOperand(2)];
  const options = {
    profile: args.operand(0),
    ...(minor === undefined ? {} : { minor }),
    ...(what === undefined ? {} : { what }),
    params: new Map(paramsOf(args, view)),
    confirm: confirmOf(session),
  };
  const figure = await draw(session.workspace, options, view);
  const name = args.text("filename") ?? names[view] ?? `${view}.html`;
  const medium = view === "flamegraph" && !name.endsWith(".html") ? "svg" : "html";
  for (const [file, single] of view === "scatter" ? apart(figure, name) : [[name, figure] as const]) {
    session.output.save(file, await renderFigure(session, single, medium, { toFile: true }));
    const address = args.flag("viewInBrowser") ? `: open ${pathToUrl(session, file)}` : "";
    session.output.note(`wrote ${terminalText(file)}${terminalText(address)}`);
  }
  return 0;
}

function paramsOf(args: Arguments, view: string): [string, Setting][] {
  const named = {
    of: "of",
    per: "per",
    through: "through",
    by: "by",
    xAxisLabel: "x-label",
    yAxisLabel: "y-label",
    graphTitle: "title",
    graphHeight: "height",
  };
  const given = Object.entries(named).flatMap(([key, option]): [string, Setting][] => {
    const text = args.text(key);
    return text === undefined ? [] : [[option, column(text)]];
  });
  const grouped: [string, Setting][] = args.flag("grouped") ? [["stacked", false]] : [];
  const accumulate: [string, Setting][] =
    view === "flow" ? [["accumulate", !args.switched("accumulate").includes("false")]] : [];
  return [...given, ...grouped, ...accumulate, ...(view === "scatter" ? [["top", 100_000] as [string, Setting]] : [])];
}

/** Perun's name for the numbers of snapshots once rows are a table. */
function column(name: string): string {
  return name === "snapshots" ? "snapshot" : name;
}

function apart({ title, blocks }: Figure, base: string): (readonly [string, Figure])[] {
  const taken = new Set<string>();
  return blocks.flatMap((block) => {
    if (block.kind !== "chart") return [];
    const word = (block.caption ?? "").replaceAll(/[^\p{L}\p{N}._+-]+/gu, "_").slice(0, 100);
    let file = `${base}_${word}.html`;
    for (let count = 2; taken.has(file); count++) file = `${base}_${word}-${count}.html`;
    taken.add(file);
    return [[file, { title, blocks: [block] }] as const];
  });
}

function pathToUrl({ workspace }: Session, file: string): string {
  return `file://${workspace.files.resolve(file).split("/").map(encodeURIComponent).join("/")}`;
}
