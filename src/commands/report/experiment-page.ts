import { Failure, isFailure, isReadFailure } from "../../core/failures/index.ts";
import { type Figure, type TableBlock, answerFigure } from "../../core/figures/index.ts";
import type { ExperimentPage, NamedFigure } from "../../core/pages/index.ts";
import type { PlotDescription } from "../../core/experiments/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { formatUnit, formatValue } from "../../core/values/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { attachedPlot, plot } from "../query/index.ts";
import { countsOf, rangesOf, type ValueRange } from "../experiments/index.ts";

/** Maximum parameter sets and gaps per page. */
const [maxSets, maxGaps] = [500, 100];

/** Greatest number of combinations that are searched for gaps. */
const maxCombinations = 100_000;

/** Charts of an experiment without stored plots: the first results, with up to this many lines and panels each. */
const [maxCharts, maxLines, maxPanels] = [4, 12, 6];

/** Variables, measured parameter sets and stored plots of an experiment. Fails with `unknown-experiment`. */
export async function experimentPage(workspace: Workspace, name: string, database?: string): Promise<ExperimentPage> {
  const home = experimentHome(workspace, database);
  const { survey, plots, drawn } = await withExperiments(workspace, home, "read", async (experiments) => {
    const stored = await experiments.find(name);
    const { variables } = stored.experiment;
    const names = variables.map((variable) => variable.name);
    const ranges = await rangesOf(experiments, stored, names, { deleted: false });
    const hasSets =
      variables.some(({ role }) => role === "parameter") && variables.some(({ role }) => role === "result");
    const settings = settingsIn(ranges);
    const counts = hasSets ? await countsOf(experiments, stored, settings, { deleted: false }) : undefined;
    const attachments = await experiments.attachments(stored);
    return {
      survey: [
        variablesFigure(ranges),
        ...(counts === undefined
          ? []
          : [coverageFigure(answerFigure(counts, "people", 0, Math.min(maxSets, counts.length)), counts.length)]),
        ...(counts === undefined ? [] : gapsFigure(counts, settings.length)),
      ],
      drawn: defaultPlots(ranges, settings),
      plots: attachments.filter(({ kind }) => kind === "plot").map((attachment) => attachment.name),
    };
  });
  const charts =
    plots.length > 0 ? storedPlots(workspace, name, plots, database) : chartsOf(workspace, name, drawn, database);
  return { name, figures: [...survey, ...(await charts)] };
}

/**
 * Combinations of measured values that were never measured together; none if few combinations were, because then the
 * sets are no grid. `parameters`: the number of first columns that are parameters.
 */
function gapsFigure(counts: Table, parameters: number): NamedFigure[] {
  const [measured] = answerFigure(counts, "exact").blocks as readonly TableBlock[];
  const sets = (measured?.rows ?? []).map((row) => row.slice(0, parameters));
  const values = Array.from({ length: parameters }, (_, at) => [...new Set(sets.map((set) => set[at] ?? ""))]);
  const combinations = values.reduce((product, { length }) => product * length, 1);
  if (parameters < 2 || combinations > maxCombinations || sets.length * 2 < combinations) return [];
  const known = new Set(sets.map((set) => JSON.stringify(set)));
  const all = values.reduce<string[][]>(
    (found, each) => found.flatMap((set) => each.map((one) => [...set, one])),
    [[]],
  );
  const gaps = all.filter((set) => !known.has(JSON.stringify(set)));
  if (gaps.length === 0) return [];
  const head = measured?.head.slice(0, parameters) ?? [];
  const rest = { kind: "text", text: `${gaps.length - maxGaps} more gaps are not listed` } as const;
  const blocks = [
    { kind: "table", head, rows: gaps.slice(0, maxGaps) } as const,
    ...(gaps.length > maxGaps ? [rest] : []),
  ];
  const name = `Gaps: ${gaps.length} of ${combinations} combinations were never measured`;
  return [{ name, figure: { title: "", blocks } }];
}

interface DefaultPlot {
  readonly description: Pick<PlotDescription, "results" | "x" | "series" | "plots" | "where" | "commits" | "runs">;
  readonly name: string;
}

/**
 * Medians of each result over the numeric parameter with the most values: a line for each value of the others, a panel
 * for each value of one that gives too many lines. The name lists parameters for which there is no room either.
 */
function defaultPlots(ranges: readonly ValueRange[], settings: readonly string[]): DefaultPlot[] {
  const isNumber = ({ variable }: ValueRange): boolean => ["integer", "float", "duration"].includes(variable.type);
  const varying = ranges.filter(({ variable }) => settings.includes(variable.name));
  const [x] = varying
    .filter((range) => isNumber(range) && range.distinct > 1)
    .toSorted((a, b) => b.distinct - a.distinct);
  if (x === undefined) return [];
  const [series, plots, summarized]: [string[], string[], string[]] = [[], [], []];
  let [lines, panels] = [1, 1];
  for (const { variable, distinct } of varying) {
    if (variable === x.variable || distinct < 2) continue;
    if (lines * distinct <= maxLines) {
      lines *= distinct;
      series.push(variable.name);
    } else if (panels * distinct <= maxPanels) {
      panels *= distinct;
      plots.push(variable.name);
    } else summarized.push(variable.name);
  }
  const rest = summarized.length === 0 ? "" : `, of all values of ${summarized.join(", ")}`;
  const results = ranges.filter((range) => range.variable.role === "result" && isNumber(range) && range.values > 0);
  return results.slice(0, maxCharts).map(({ variable }) => ({
    name: `Median of ${variable.name} over ${x.variable.name}${rest}`,
    description: {
      results: [{ name: variable.name, statistic: "median" }],
      x: { name: x.variable.name },
      series,
      plots,
      where: [],
      commits: [],
      runs: [],
    },
  }));
}

async function chartsOf(
  workspace: Workspace,
  experiment: string,
  plots: readonly DefaultPlot[],
  database?: string,
): Promise<NamedFigure[]> {
  const home = { experiment, ...(database === undefined ? {} : { database }) };
  const drawn: NamedFigure[] = [];
  for (const { name, description } of plots) {
    const draw = async (): Promise<Figure> => ({
      ...(await plot(workspace, { ...description, ...home })).figure,
      title: name,
    });
    drawn.push({ name, figure: await figureOrFailure(draw) });
  }
  return drawn;
}

/** Grouping parameters: those that vary, but not with each run. */
function settingsIn(ranges: readonly ValueRange[]): string[] {
  const candidates = ranges.filter(
    ({ variable }) =>
      variable.role === "parameter" && !["text", "timestamp", "date", "timeofday", "binary"].includes(variable.type),
  );
  const varying = candidates.filter(({ distinct }) => distinct > 1);
  return (varying.length > 0 ? varying : candidates).map(({ variable }) => variable.name);
}

function variablesFigure(ranges: readonly ValueRange[]): NamedFigure {
  const left = (label: string) => ({ label, align: "left" }) as const;
  const right = (label: string) => ({ label, align: "right" }) as const;
  const head: TableBlock["head"] = [
    ...["variable", "role", "type", "unit"].map(left),
    ...["values", "distinct", "min", "max"].map(right),
    left("synopsis"),
  ];
  const rows = ranges.map(({ variable, values, distinct, least, greatest }) => [
    variable.name,
    variable.role,
    variable.type,
    formatUnit(variable.unit),
    String(values),
    String(distinct),
    ...[least, greatest].map((value) => (value === null ? "" : formatValue(value, variable.type))),
    variable.synopsis ?? "",
  ]);
  return { name: "Variables", figure: { title: "", blocks: [{ kind: "table", head, rows }] } };
}

function coverageFigure(figure: Figure, all: number): NamedFigure {
  const more =
    all > maxSets ? ([{ kind: "text", text: `${all - maxSets} more parameter sets are not listed` }] as const) : [];
  return {
    name: "Parameter sets and how often each was measured",
    figure: { ...figure, blocks: [...figure.blocks, ...more] },
  };
}

/** Plots that cannot be drawn, e.g. because a variable was removed, show the failure. */
async function storedPlots(
  workspace: Workspace,
  experiment: string,
  names: readonly string[],
  database?: string,
): Promise<NamedFigure[]> {
  const home = { experiment, ...(database === undefined ? {} : { database }) };
  const drawn: NamedFigure[] = [];
  for (const name of names) drawn.push({ name, figure: await drawnPlot(workspace, home, name) });
  return drawn;
}

async function drawnPlot(
  workspace: Workspace,
  home: { experiment: string; database?: string },
  name: string,
): Promise<Figure> {
  return figureOrFailure(async () => {
    const description = await attachedPlot(workspace, home.experiment, name, home.database);
    return (await plot(workspace, { ...description, ...home })).figure;
  });
}

async function figureOrFailure(draw: () => Promise<Figure>): Promise<Figure> {
  try {
    return await draw();
  } catch (error) {
    if (!isFailure(error) || isReadFailure(error)) throw error;
    return failureFigure(error);
  }
}

/** A failure shown as a figure, with the names of options as in the form of a page: `function` for `--function`. */
export function failureFigure({ message, remedy }: Failure): Figure {
  const advice = (remedy ?? "").replace(/(^|[\s(])--(?=[a-z])/g, "$1");
  return { title: "", blocks: [{ kind: "text", text: [message, advice].filter((line) => line !== "").join("\n") }] };
}
