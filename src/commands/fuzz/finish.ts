import type { Axis, ChartBlock, ChartSeries, Figure } from "../../core/figures/index.ts";
import { parseUnit } from "../../core/values/index.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { assetPath } from "../../workspace/files/index.ts";
import {
  findFolders,
  type CampaignState,
  type Find,
  type FindKind,
  type CampaignPlan,
  type FuzzFolder,
  type Gauge,
} from "../../workspace/fuzz/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { FuzzOptions } from "./options.ts";
import { reportOf, worstFirst, type FuzzReport } from "./campaign-report.ts";

/** A chart and its file name. */
interface FuzzFigure {
  readonly name: string;
  readonly figure: Figure;
}

const time: Axis = { label: "time", unit: parseUnit("s"), scale: "linear", from: 0 };

/** Charts of a campaign: effort and finds over time, and hits per rule; empty charts are omitted. */
function fuzzFigures(state: CampaignState, gauge: Gauge): FuzzFigure[] {
  return [
    { name: "effort", figure: { title: "The busiest sample so far", blocks: [effortChart(state, gauge)] } },
    { name: "finds", figure: { title: "Finds", blocks: [findsChart(state)] } },
    { name: "rules", figure: { title: "Mutations worth measuring, by rule", blocks: [rulesChart(state)] } },
  ].filter(({ figure }) => figure.blocks.some((block) => block.series.some(({ y }) => y.length > 0)));
}

function effortChart({ curve, base, seconds }: CampaignState, { kind, unit }: Gauge): ChartBlock {
  const points = [{ seconds: 0, effort: base }, ...curve];
  const last = points.at(-1);
  // Extend the last step to the end of the campaign.
  const all = last && last.seconds < seconds ? [...points, { seconds, effort: last.effort }] : points;
  const values = { x: all.map((point) => point.seconds), y: all.map(({ effort }) => effort) };
  const y: Axis = {
    label: kind === "coverage" ? unit : "CPU time",
    scale: "log",
    ...(kind === "time" ? { unit: parseUnit(unit) } : {}),
  };
  return {
    kind: "chart",
    mark: "steps",
    legend: false,
    x: time,
    y: [y],
    series: curve.length > 0 ? [series("greatest", values)] : [],
  };
}

function findsChart({ finds, seconds }: CampaignState): ChartBlock {
  const kinds: readonly (readonly [FindKind, string])[] = [
    ["degradation", "degradations"],
    ["hang", "hangs"],
    ["fault", "faults"],
  ];
  const curves = kinds.flatMap(([kind, label]) => {
    const moments = finds.filter((find) => find.kind === kind).map((find) => find.seconds);
    if (moments.length === 0) return [];
    return [series(label, { x: [0, ...moments, seconds], y: [0, ...moments.map((_, at) => at + 1), moments.length] })];
  });
  return { kind: "chart", mark: "steps", x: time, y: [{ label: "found", scale: "linear", from: 0 }], series: curves };
}

function rulesChart({ rules }: CampaignState): ChartBlock {
  const used = rules.filter(({ hits }) => hits > 0).toSorted((a, b) => b.hits - a.hits);
  const x: Axis = { label: "rule", scale: "category", categories: used.map(({ name }) => name) };
  const values = { x: used.map((_, at) => at), y: used.map(({ hits }) => hits) };
  const bars = used.length > 0 ? [series("mutations", values)] : [];
  return {
    kind: "chart",
    mark: "bars",
    legend: false,
    x,
    y: [{ label: "mutations", scale: "linear", from: 0 }],
    series: bars,
  };
}

function series(
  label: string,
  { x, y }: { readonly x: readonly number[]; readonly y: readonly number[] },
): ChartSeries {
  return { label, axis: 0, x: Float64Array.from(x), y: Float64Array.from(y) };
}

interface Finished {
  readonly state: CampaignState;
  readonly folder: FuzzFolder;
  readonly gauge: Gauge;
  readonly ended: FuzzReport["ended"];
  readonly shell: Shell;
  readonly options: FuzzOptions;
  readonly plan: CampaignPlan;
  readonly notes: readonly string[];
}

/** Writes the report, charts and diffs of a session to the campaign's folder. */
export async function finishFuzzing(workspace: Workspace, finished: Finished): Promise<FuzzReport> {
  const { state, folder, gauge, ended, options, plan, notes } = finished;
  const { kind, unit } = gauge;
  const facts = { cmd: options.cmd, folder: options.folder, seed: options.seed, collector: options.collector.name };
  const report = reportOf(state, { ...facts, fitness: { kind, unit }, ended, sizeLimit: plan.sizeLimit, notes });
  folder.report(`${JSON.stringify({ schema: "perfkeep.fuzz/2", ...report }, null, 2)}\n`);
  if (options.graphs) await drawGraphs(workspace, folder, state, gauge);
  if (ended !== "interrupted") await writeDifferences(finished);
  return report;
}

async function drawGraphs(workspace: Workspace, folder: FuzzFolder, state: CampaignState, gauge: Gauge): Promise<void> {
  const renderer = await workspace.registry.get("renderer", "svg");
  const medium = {
    width: 960,
    height: 560,
    color: false,
    dark: false,
    unicode: true,
    fontFile: assetPath("fonts/DejaVuSans.ttf"),
  };
  for (const { name, figure } of fuzzFigures(state, gauge))
    folder.graph(`${name}.svg`, await renderer.render(figure, medium, new Map()));
}

const maxDiffBytes = 256 << 10;
const maxDiffs = 50;

/** Writes git diffs between the initial samples and the worst finds that have none yet. */
async function writeDifferences({ state, folder, shell }: Finished): Promise<void> {
  const missing = worstFirst(state).filter((find) => find.file !== null && !folder.has("diffs", nameOf(find)));
  for (const find of missing.slice(0, maxDiffs)) {
    const from = state.samples.find(({ id }) => id === find.origin);
    if (from === undefined || find.file === null) continue;
    const paths = [folder.pathOf("samples", from.file), folder.pathOf(findFolders[find.kind], find.file)];
    const argv = [
      "git",
      "diff",
      "--no-index",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--stat",
      "--patch",
      "--",
      ...paths,
    ];
    const { stdout } = await shell.run(argv, {
      directory: folder.path,
      captureLimit: maxDiffBytes,
      timeoutSeconds: 20,
    });
    folder.store("diffs", nameOf(find), stdout);
  }
}

function nameOf({ id }: Find): string {
  return `${String(id).padStart(6, "0")}.diff`;
}
