import { Failure } from "../../core/failures/failure.ts";
import type { MeasuredRun, Quantity } from "../../core/measurements/measurement.ts";
import { asvResults, type FolderFile } from "../../formats/benchmarks/export/asv-results.ts";
import {
  bencherMetrics,
  customMetrics,
  quantitiesOfDirection,
  quantitiesWithoutDirection,
  openMetricsText,
} from "../../formats/benchmarks/export/metric-lists.ts";
import { GoBenchmarkPrinter } from "../../formats/benchmarks/export/go-benchmark-print.ts";
import { LatestCases } from "../../query/export/latest-cases.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exportMeasurements, type MeasurementOptions } from "./export-measurements.ts";

/** So many characters are handed out at once. */
const pieceLength = 1 << 16;

/** Hands out a text, which comes in small parts, in pieces that are worth a write. */
class TextPieces {
  readonly #take: (text: string) => void;
  #piece = "";

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** True: a piece was handed out. */
  add(part: string): boolean {
    this.#piece += part;
    if (this.#piece.length < pieceLength) return false;
    this.end();
    return true;
  }

  /** What is left. */
  end(): void {
    if (this.#piece !== "") this.#take(this.#piece);
    this.#piece = "";
  }

  /** The whole text. */
  async all(parts: Iterable<string>): Promise<void> {
    // Who reads the text may have had enough, which is told between two turns.
    for (const part of parts) if (this.add(part)) await new Promise<void>((resolve) => setImmediate(resolve));
    this.end();
  }
}

/** Cases of an experiment, each of the latest run that has it. */
interface SelectedCases {
  readonly experiment: string;
  readonly quantities: readonly Quantity[];
  readonly cases: LatestCases;
}

/** Formats with one content for each case, of the latest run that has it. */
const latest = {
  bmf: ({ quantities, cases }) => bencherMetrics(quantities, cases.cases()),
  openmetrics: ({ experiment, quantities, cases }) =>
    openMetricsText(experiment, quantities, (quantity) => cases.cases([quantity])),
} satisfies Record<string, (found: SelectedCases) => Iterable<string>>;

/** Formats that hold the results of one direction. */
const directed = { "custom-smaller": "lower", "custom-bigger": "higher" } as const;

/** Formats of benchmarks that are one text, by the names of their importers. */
export type BenchmarkFormat = "go-bench" | keyof typeof latest | keyof typeof directed;

/**
 * Writes an experiment as other programs' results of benchmarks. Answers the names of results that were left out, since
 * nothing says which of their values are better. Fails like `exportMeasurements`, and with `no-result-of-direction`.
 */
export async function exportBenchmarks(
  workspace: Workspace,
  options: MeasurementOptions,
  format: BenchmarkFormat,
  take: (text: string) => void,
): Promise<readonly string[]> {
  if (format === "custom-smaller" || format === "custom-bigger")
    return exportCustom(workspace, options, directed[format], take);
  if (format === "go-bench") await exportGo(workspace, options, take);
  else {
    const found = await latestCases(workspace, options, () => "");
    await new TextPieces(take).all(latest[format](found));
  }
  return [];
}

/** Results that are named and have no direction are taken to have the one of the file. */
async function exportCustom(
  workspace: Workspace,
  options: MeasurementOptions,
  better: "lower" | "higher",
  take: (text: string) => void,
): Promise<readonly string[]> {
  const { experiment, quantities, cases } = await latestCases(workspace, options, () => "");
  const open = quantitiesWithoutDirection(quantities);
  const named = open.filter(({ name }) => options.variables.some((each) => each.toLowerCase() === name.toLowerCase()));
  const told = quantities.map((quantity) => (named.includes(quantity) ? { ...quantity, better } : quantity));
  if (cases.cases(quantitiesOfDirection(told, better)).next().done === true)
    throw new Failure("no-result-of-direction", { experiment, better, open: open.map(({ name }) => name).join(", ") });
  await new TextPieces(take).all(customMetrics(told, cases.cases(), better));
  return open.filter((quantity) => !named.includes(quantity)).map(({ name }) => name);
}

/**
 * The files of a results folder of airspeed velocity. Runs without a commit are left out: their numbers are told. Fails
 * with `no-commits`.
 */
export async function exportAsv(
  workspace: Workspace,
  options: MeasurementOptions,
): Promise<{ readonly files: readonly FolderFile[]; readonly without: readonly number[] }> {
  const scope = ({ commit, facts }: MeasuredRun): string => JSON.stringify([commit, ...facts]);
  const { experiment, quantities, cases } = await latestCases(workspace, options, scope);
  const all = [...cases.cases()];
  const linked = all.filter(({ run }) => run.commit !== undefined);
  if (linked.length === 0) throw new Failure("no-commits", { experiment });
  const without = new Set(all.flatMap(({ run }) => (run.commit === undefined ? [run.number] : [])));
  return { files: asvResults(quantities, linked), without: [...without] };
}

async function latestCases(
  workspace: Workspace,
  options: MeasurementOptions,
  scope: (run: MeasuredRun) => string,
): Promise<SelectedCases> {
  let found: SelectedCases | undefined;
  await exportMeasurements(workspace, options, (experiment, quantities) => {
    const cases = new LatestCases(quantities, scope);
    found = { experiment, quantities, cases };
    return { row: (run, measurement) => cases.add(run, measurement) };
  });
  return found!;
}

/** Row by row: nothing else is held but the names. */
async function exportGo(
  workspace: Workspace,
  options: MeasurementOptions,
  take: (text: string) => void,
): Promise<void> {
  const pieces = new TextPieces(take);
  await exportMeasurements(workspace, options, (_, quantities) => {
    const text = new GoBenchmarkPrinter(quantities);
    let last: MeasuredRun | undefined;
    pieces.add(text.head());
    return {
      row(run, measurement) {
        if (run !== last) text.run(run);
        last = run;
        pieces.add(text.row(measurement));
      },
    };
  });
  pieces.end();
}
