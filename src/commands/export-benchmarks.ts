import { Failure } from "../core/errors.ts";
import type { MeasuredCase, MeasuredRun, Quantity } from "../core/measurement.ts";
import { asvResults, type FolderFile } from "../formats/benchmarks/asv-results.ts";
import { bencherMetrics } from "../formats/benchmarks/bencher-metrics.ts";
import { customMetrics } from "../formats/benchmarks/custom-metrics.ts";
import { GoBenchmarkText } from "../formats/benchmarks/go-benchmark-text.ts";
import { openMetricsText } from "../formats/benchmarks/open-metrics-text.ts";
import { LatestCases } from "../query/export/latest-cases.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { exportMeasurements, type MeasurementOptions } from "./export-measurements.ts";

/** Formats with one content for each case, of the latest run that has it. */
const latest = {
  bmf: (_, quantities, cases) => bencherMetrics(quantities, cases),
  "custom-smaller": (_, quantities, cases) => customMetrics(quantities, cases, "lower"),
  "custom-bigger": (_, quantities, cases) => customMetrics(quantities, cases, "higher"),
  openmetrics: openMetricsText,
} satisfies Record<string, (experiment: string, quantities: readonly Quantity[], cases: readonly MeasuredCase[]) => string>;

/** Formats of benchmarks that are one text, by the names of their importers. */
export type BenchmarkFormat = "go-bench" | keyof typeof latest;

/** Writes an experiment as other programs' results of benchmarks. Fails like `exportMeasurements`. */
export async function exportBenchmarks(
  workspace: Workspace,
  options: MeasurementOptions,
  format: BenchmarkFormat,
  take: (text: string) => void,
): Promise<void> {
  if (format === "go-bench") return exportGo(workspace, options, take);
  const { experiment, quantities, cases } = await latestCases(workspace, options, () => "");
  take(latest[format](experiment, quantities, cases));
}

/** The files of a results folder of airspeed velocity. Runs without a commit are left out: their numbers are told. Fails with `no-commits`. */
export async function exportAsv(
  workspace: Workspace,
  options: MeasurementOptions,
): Promise<{ readonly files: readonly FolderFile[]; readonly without: readonly number[] }> {
  const scope = ({ commit, facts }: MeasuredRun): string => JSON.stringify([commit, ...facts]);
  const { experiment, quantities, cases } = await latestCases(workspace, options, scope);
  const linked = cases.filter(({ run }) => run.commit !== undefined);
  if (linked.length === 0) throw new Failure("no-commits", { experiment });
  const without = new Set(cases.flatMap(({ run }) => (run.commit === undefined ? [run.number] : [])));
  return { files: asvResults(quantities, linked), without: [...without] };
}

async function latestCases(
  workspace: Workspace,
  options: MeasurementOptions,
  scope: (run: MeasuredRun) => string,
): Promise<{ readonly experiment: string; readonly quantities: readonly Quantity[]; readonly cases: readonly MeasuredCase[] }> {
  let found: { experiment: string; quantities: readonly Quantity[]; cases: LatestCases } | undefined;
  await exportMeasurements(workspace, options, (experiment, quantities) => {
    const cases = new LatestCases(quantities, scope);
    found = { experiment, quantities, cases };
    return { row: (run, measurement) => cases.add(run, measurement) };
  });
  const { cases, ...rest } = found!;
  return { ...rest, cases: cases.cases() };
}

/** So many characters are handed out at once. */
const pieceLength = 1 << 16;

/** Piece by piece: nothing else is held but the names. */
async function exportGo(workspace: Workspace, options: MeasurementOptions, take: (text: string) => void): Promise<void> {
  let piece = "";
  await exportMeasurements(workspace, options, (_, quantities) => {
    const text = new GoBenchmarkText(quantities);
    let last: MeasuredRun | undefined;
    piece = text.head();
    return {
      row(run, measurement) {
        if (run !== last) text.run(run);
        last = run;
        piece += text.row(measurement);
        if (piece.length < pieceLength) return;
        take(piece);
        piece = "";
      },
    };
  });
  if (piece !== "") take(piece);
}
