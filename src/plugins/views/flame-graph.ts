import { Failure } from "../../core/failures/index.ts";
import type { Figure, FlameBlock } from "../../core/figures/index.ts";
import { type OwnTimeline, type Run, type StackProfile, timelineIn } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { flameChart, flameGraph, typeNamed } from "../../query/flame/index.ts";
import { runStacks } from "../../query/profile/index.ts";
import type { View } from "./view.ts";

const parameter = { role: "parameter", occurrence: "once" } as const;
const text = { ...parameter, type: "text", default: null } as const;
const flag = { ...parameter, type: "boolean", default: false } as const;

const looks: readonly Variable[] = [
  {
    ...text,
    name: "grows",
    default: "down",
    valid: ["down", "up"],
    synopsis: "direction of callees: below or above their callers",
  },
  {
    ...parameter,
    type: "float",
    default: null,
    name: "min-width",
    synopsis: "omit frames narrower than this fraction (0 to 1) of the root",
  },
  { ...parameter, type: "integer", default: 20, name: "height", synopsis: "height of a row in pixels (8 to 200)" },
  {
    ...parameter,
    type: "integer",
    default: null,
    name: "width",
    synopsis: "width of the picture in pixels (160 to 100000)",
  },
  { ...text, name: "title", synopsis: "title of the picture (default: the command)" },
];

const options: readonly Variable[] = [
  { ...text, name: "of", synopsis: "quantity or subtype shown as width (default: the main one of the profile)" },
  {
    ...text,
    name: "focus",
    synopsis: "name of a frame: show only its callees, merged over all callers; with inverted: only its callers",
  },
  { ...flag, name: "inverted", synopsis: "start with the innermost calls, and show callers below" },
  {
    ...flag,
    name: "merged",
    synopsis: "fold recursion: merge a recursive call into the frame on the stack",
  },
  { ...text, name: "colors", default: "name", valid: ["name", "module", "plain"], synopsis: "meaning of colours" },
  ...looks,
];

/** Flame graph of a profile whose rows contain stacks. */
export const flameGraphView = Object.freeze<View>({
  kind: "view",
  name: "flamegraph",
  aliases: ["flame-graph", "flame"],
  synopsis: "flame graph of the stacks of a profile",
  options,
  draw: (run: Run, values: Values) => drawStacks(runStacks(run, textOf(values, "of")), values),
  drawStacks,
});

/** The calls of a profile in the order of time, if its format keeps it. */
export const flameChartView = Object.freeze<View>({
  kind: "view",
  name: "flamechart",
  aliases: ["flame-chart"],
  synopsis: "calls in the order of time, if the profile keeps it",
  options: looks,
  draw: (run: Run, values: Values) =>
    drawChart(timelineIn(run.extra.get("timeline")), values, [commandOf(run), "Flame chart"]),
  drawStacks: ({ stacks, timeline, facts }: StackProfile, values: Values) =>
    drawChart(timeline && { stacks, timeline }, values, [facts.command, facts.name, "Flame chart"]),
});

function commandOf({ fixed }: Run): string | undefined {
  const command = fixed.get("cmd");
  return typeof command === "string" && command !== "" ? command : undefined;
}

function drawChart(own: OwnTimeline | undefined, values: Values, titles: readonly (string | undefined)[]): Figure {
  const title = [textOf(values, "title"), ...titles].find((each) => each !== undefined) ?? "";
  return { title, blocks: [{ kind: "flame", graph: flameChart(own), ...lookOf(values) }] };
}

function drawStacks(profile: StackProfile, values: Values): Figure {
  const focus = textOf(values, "focus");
  const graph = flameGraph(profile, {
    type: typeNamed(profile, textOf(values, "of")),
    form: values.get("inverted") === true ? "inverted" : "plain",
    merged: values.get("merged") === true,
    ...(focus === undefined ? {} : { focus }),
  });
  const title = textOf(values, "title") ?? profile.facts.command ?? profile.facts.name ?? "Flame graph";
  return { title, blocks: [{ kind: "flame", graph, ...lookOf(values) }] };
}

function lookOf(values: Values): Omit<FlameBlock, "kind" | "graph"> {
  const [minWidth, frameHeight, width] = [
    numberOf(values, "min-width", 0, 1),
    numberOf(values, "height", 8, 200),
    numberOf(values, "width", 160, 1e5),
  ];
  const colors = values.get("colors");
  return {
    colors: colors === "module" || colors === "plain" ? colors : "name",
    grows: values.get("grows") === "up" ? "up" : "down",
    ...(minWidth === undefined ? {} : { minWidth }),
    ...(frameHeight === undefined ? {} : { frameHeight }),
    ...(width === undefined ? {} : { width }),
  };
}

function textOf(values: Values, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(values: Values, option: string, minimum: number, maximum: number): number | undefined {
  const value = values.get(option);
  if (value === null || value === undefined) return undefined;
  const number = Number(value);
  if (number >= minimum && number <= maximum) return number;
  throw new Failure("bad-option", { option, value: String(value), expected: `a number from ${minimum} to ${maximum}` });
}
