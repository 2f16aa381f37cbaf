import { Failure } from "../../core/failures/index.ts";
import type { MeasuredRun, Quantity } from "../../core/measurements/index.ts";
import {
  asvResults,
  type FolderFile,
  bencherMetrics,
  customMetrics,
  quantitiesOfDirection,
  quantitiesWithoutDirection,
  openMetricsText,
  GoBenchmarkPrinter,
} from "../../formats/benchmarks/index.ts";
import { LatestCases } from "../../query/export/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exportMeasurements, type MeasurementOptions } from "./export-measurements.ts";

/** Characters per piece. */
const pieceLength = 1 << 16;

/** Buffers small parts of a text and emits pieces large enough for a write. */
class TextPieces {
  readonly #take: (text: string) => void;
  #piece = "";

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** Returns true if a piece was emitted. */
  add(part: string): boolean {
    this.#piece += part;
    if (this.#piece.length < pieceLength) return false;
    this.end();
    return true;
  }

  /** Emits the rest. */
  end(): void {
    if (this.#piece !== "") this.#take(this.#piece);
    this.#piece = "";
  }

  /** Emits a complete text. */
  async all(parts: Iterable<string>): Promise<void> {
    // Yield to the event loop, where a closed output is reported.
    for (const part of parts) if (this.add(part)) await new Promise<void>((resolve) => setImmediate(resolve));
    this.end();
  }
}

/** Cases of an experiment, each from the latest run that has it. */
interface SelectedCases {
  readonly experiment: string;
  readonly quantities: readonly Quantity[];
  readonly cases: LatestCases;
}

/** Formats with one value per case, from the latest run that has it. */
const latest = {
  bmf: ({ quantities, cases }) => bencherMetrics(quantities, cases.cases()),
  openmetrics: ({ experiment, quantities, cases }) =>
    openMetricsText(experiment, quantities, (quantity) => cases.cases([quantity])),
} satisfies Record<string, (found: SelectedCases) => Iterable<string>>;

/** Formats for results of one direction. */
const directed = { "custom-smaller": "lower", "custom-bigger": "higher" } as const;

/** Benchmark formats that are a single text, by importer name. */
export type BenchmarkFormat = "go-bench" | keyof typeof latest | keyof typeof directed;

/**
 * Exports an experiment in a benchmark format. Returns the names of results skipped because their direction is unknown.
 * Fails like `exportMeasurements`, and with `no-result-of-direction`.
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

/** Explicitly selected results without a direction get the direction of the file. */
async function exportCustom(
  workspace: Workspace,
  options: MeasurementOptions,
  better: "lower" | "higher",
  take: (text: string) => void,
): Promise<readonly string[]> {
  const { experiment, quantities, cases } = await latestCases(workspace, options, () => "");
  const undirected = quantitiesWithoutDirection(quantities);
  const named = undirected.filter(({ name }) =>
    options.variables.some((each) => each.toLowerCase() === name.toLowerCase()),
  );
  const directedQuantities = quantities.map((quantity) =>
    named.includes(quantity) ? { ...quantity, better } : quantity,
  );
  if (cases.cases(quantitiesOfDirection(directedQuantities, better)).next().done === true)
    throw new Failure("no-result-of-direction", {
      experiment,
      better,
      undirected: undirected.map(({ name }) => name).join(", "),
    });
  await new TextPieces(take).all(customMetrics(directedQuantities, cases.cases(), better));
  return undirected.filter((quantity) => !named.includes(quantity)).map(({ name }) => name);
}

/**
 * Files of an airspeed velocity results folder. Skips runs without a commit and returns their numbers. Fails with
 * `no-commits`.
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

/** Streams row by row. */
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
