import type { Shell } from "../plugins/collectors/collector.ts";
import { assetPath } from "../workspace/assets.ts";
import { findFolders, type CampaignState, type Find } from "../workspace/fuzz/campaign-state.ts";
import type { CampaignPlan } from "../workspace/fuzz/campaign.ts";
import type { FuzzFolder } from "../workspace/fuzz/fuzz-folder.ts";
import type { Gauge } from "../workspace/fuzz/gauge.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { fuzzFigures } from "./fuzz-figures.ts";
import { reportOf, worstFirst, type FuzzReport } from "./fuzz-report.ts";
import type { FuzzOptions } from "./fuzz-options.ts";

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

/** Writes what people read of a session into the folder of the campaign: the report, pictures, differences. */
export async function finishFuzzing(workspace: Workspace, finished: Finished): Promise<FuzzReport> {
  const { state, folder, gauge, ended, options, plan, notes } = finished;
  const { kind, unit } = gauge;
  const facts = { cmd: options.cmd, folder: options.folder, seed: options.seed, collector: options.collector.name };
  const report = reportOf(state, { ...facts, gauge: { kind, unit }, ended, sizeLimit: plan.sizeLimit, notes });
  folder.report(`${JSON.stringify({ schema: "perfkeep.fuzz/1", ...report }, null, 2)}\n`);
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

const largestDifference = 256 << 10;
const mostDifferences = 50;

/** What was changed since the initial sample, as git shows it; of the worst finds that have none yet. */
async function writeDifferences({ state, folder, shell }: Finished): Promise<void> {
  const missing = worstFirst(state).filter((find) => find.file !== null && !folder.has("diffs", nameOf(find)));
  for (const find of missing.slice(0, mostDifferences)) {
    const from = state.samples.find(({ id }) => id === find.origin);
    if (from === undefined || find.file === null) continue;
    const paths = [folder.place("samples", from.file), folder.place(findFolders[find.kind], find.file)];
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
      captureLimit: largestDifference,
      timeoutSeconds: 20,
    });
    folder.keep("diffs", nameOf(find), stdout);
  }
}

function nameOf({ id }: Find): string {
  return `${String(id).padStart(6, "0")}.diff`;
}
