import { Failure, isFailure } from "../../core/failures/index.ts";
import { type Figure, type TableBlock, answerFigure } from "../../core/figures/index.ts";
import type { ExperimentPage, NamedFigure } from "../../core/pages/index.ts";
import { formatUnit, formatValue } from "../../core/values/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { attachedPlot, plot } from "../query/index.ts";
import { countsOf, rangesOf, type ValueRange } from "../experiments/index.ts";

/** Maximum parameter sets per page. */
const maxSets = 500;

/** Variables, measured parameter sets and stored plots of an experiment. Fails with `unknown-experiment`. */
export async function experimentPage(workspace: Workspace, name: string, database?: string): Promise<ExperimentPage> {
  const home = experimentHome(workspace, database);
  const { survey, plots } = await withExperiments(workspace, home, "read", async (experiments) => {
    const stored = await experiments.find(name);
    const { variables } = stored.experiment;
    const names = variables.map((variable) => variable.name);
    const ranges = await rangesOf(experiments, stored, names, { deleted: false });
    const hasSets =
      variables.some(({ role }) => role === "parameter") && variables.some(({ role }) => role === "result");
    const counts = hasSets ? await countsOf(experiments, stored, settingsIn(ranges), { deleted: false }) : undefined;
    const attachments = await experiments.attachments(stored);
    return {
      survey: [
        variablesFigure(ranges),
        ...(counts === undefined
          ? []
          : [coverageFigure(answerFigure(counts, "people", 0, Math.min(maxSets, counts.length)), counts.length)]),
      ],
      plots: attachments.filter(({ kind }) => kind === "plot").map((attachment) => attachment.name),
    };
  });
  return { name, figures: [...survey, ...(await storedPlots(workspace, name, plots, database))] };
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
  try {
    const description = await attachedPlot(workspace, home.experiment, name, home.database);
    return (await plot(workspace, { ...description, ...home })).figure;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return failureFigure(error);
  }
}

/** A failure shown as a figure, with the names of options as in the form of a page: `function` for `--function`. */
export function failureFigure({ message, remedy }: Failure): Figure {
  const advice = (remedy ?? "").replace(/(^|[\s(])--(?=[a-z])/g, "$1");
  return { title: "", blocks: [{ kind: "text", text: [message, advice].filter((line) => line !== "").join("\n") }] };
}
