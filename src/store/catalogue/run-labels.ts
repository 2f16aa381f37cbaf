import type { RunName } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { formatTimestamp } from "../../core/values/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { isOneOf, recordsOf } from "../schema/index.ts";
import type { StoredExperiment } from "./catalogue.ts";

/** The runs that an import has written. */
export interface LabelledRuns {
  readonly runs: readonly { readonly number: number; readonly label?: string; readonly performed: number }[];
  relabel(number: number, label: string): Promise<void>;
}

/**
 * Assigns the labels of the runs of an import, which are unique among the active runs of the experiment. Without a
 * given label, a run is named after the time of its measurement (UTC), `2026-01-31-123000`. Further runs of the same
 * name get `-2`, `-3` and so on.
 */
export class RunLabels {
  readonly #taken: Map<string, number>;
  readonly #experiment: string;
  /** Next suffix by name. */
  readonly #next = new Map<string, number>();
  readonly #own = new Set<string>();
  readonly #given = new Set<string>();
  #problem: Failure | undefined;

  private constructor(taken: Map<string, number>, experiment: string) {
    this.#taken = taken;
    this.#experiment = experiment;
  }

  static async load(engine: Engine, stored: StoredExperiment): Promise<RunLabels> {
    return new RunLabels(new Map(await labelsOf(engine, stored)), stored.experiment.name);
  }

  /** `performed`: microseconds since 1970-01-01T00:00:00Z. */
  next(given: string | undefined, performed: number): string {
    const name = given ?? automaticLabel(performed);
    const run = this.#taken.get(name);
    if (given !== undefined && run !== undefined && !this.#own.has(name))
      this.#problem ??= new Failure("label-taken", { label: name, experiment: this.#experiment, run });
    let label = name;
    for (let at = this.#next.get(name) ?? 2; this.#taken.has(label); at++) {
      label = `${name}-${at}`;
      this.#next.set(name, at + 1);
    }
    this.#taken.set(label, 0);
    this.#own.add(label);
    if (given !== undefined) this.#given.add(label);
    return label;
  }

  /**
   * Gives runs of the import other labels where a concurrent import took theirs; a given label is refused. Call it
   * while the experiment is locked against other imports. Fails with `label-taken`.
   */
  async settle(engine: Engine, stored: StoredExperiment, writer: LabelledRuns): Promise<void> {
    const clashes = await clashesOf(
      engine,
      stored,
      writer.runs.map(({ number }) => number),
    );
    if (clashes.size === 0) return;
    for (const [label, run] of await labelsOf(engine, stored)) this.#taken.set(label, run);
    for (const { number, performed } of writer.runs) {
      const clash = clashes.get(number);
      if (clash === undefined) continue;
      if (this.#given.has(clash.label)) throw new Failure("label-taken", { ...clash, experiment: this.#experiment });
      await writer.relabel(number, this.next(undefined, performed));
    }
  }

  /**
   * Fails with `label-taken` if a given label was. Call it last: a file that was imported before is the better
   * reason.
   */
  check(): void {
    if (this.#problem !== undefined) throw this.#problem;
  }
}

/** The date and time of a run as a label: `2026-01-31-123000`. */
function automaticLabel(performed: number): string {
  const [date = "", time = ""] = formatTimestamp(performed).split(/[T ]/);
  return `${date}-${time.slice(0, 8).replaceAll(":", "")}`;
}

/**
 * Checks the label of a new run: a label that looks like a number, a range or a list of runs could not be selected.
 * Fails with `bad-label`.
 */
export function requireLabel(label: string): string {
  const problem =
    label.trim() !== label || label === ""
      ? "it is empty, or begins or ends with a blank"
      : /^\d+(?:-\d+)?$/.test(label)
        ? "it looks like the number of a run, or a range"
        : /[,\p{Cc}]/u.test(label)
          ? "it has a comma or a control character"
          : undefined;
  if (problem !== undefined) throw new Failure("bad-label", { label, problem });
  return label;
}

/**
 * The numbers of runs given by number or label, in order, each once. Numbers are not checked. Fails with `unknown-run`
 * or, if `deleted`, `unknown-deleted-run` for an unknown label, and `ambiguous-label` for runs that share one, as runs
 * of older imports and of merged instances may.
 */
export async function runNumbers(
  engine: Engine,
  { id, experiment }: StoredExperiment,
  names: readonly RunName[],
  deleted = false,
): Promise<number[]> {
  const labels = names.filter((name) => typeof name === "string");
  const numbers = new Map<string, number[]>();
  if (labels.length > 0) {
    const found = await engine.query(
      "select number, label from run where experiment = $1 and active = $2 and label is not null order by number",
      [id, !deleted],
    );
    for (const row of recordsOf(found)) {
      const label = String(row.get("label"));
      numbers.set(label, [...(numbers.get(label) ?? []), Number(row.get("number"))]);
    }
  }
  const resolved = names.map((name) => {
    if (typeof name === "number") return name;
    const [run, ...others] = numbers.get(name) ?? [];
    if (run === undefined)
      throw new Failure(deleted ? "unknown-deleted-run" : "unknown-run", { experiment: experiment.name, run: name });
    if (others.length > 0)
      throw new Failure("ambiguous-label", {
        label: name,
        experiment: experiment.name,
        runs: [run, ...others].join(", "),
      });
    return run;
  });
  return [...new Set(resolved)];
}

/** Fails with `label-taken` if another active run has the label of one of these. */
export async function requireFreeLabels(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
): Promise<void> {
  const [clash] = (await clashesOf(engine, stored, runs)).values();
  if (clash !== undefined) throw new Failure("label-taken", { ...clash, experiment: stored.experiment.name });
}

/** The labels of active runs with their runs, the newest first. */
async function labelsOf(engine: Engine, { id }: StoredExperiment): Promise<(readonly [string, number])[]> {
  const found = await engine.query(
    "select number, label from run where experiment = $1 and active and label is not null order by number desc",
    [id],
  );
  return recordsOf(found).map((row) => [String(row.get("label")), Number(row.get("number"))] as const);
}

/** For each of `runs` whose label another active run has: that run and the label. */
async function clashesOf(
  engine: Engine,
  { id }: StoredExperiment,
  runs: readonly number[],
): Promise<Map<number, { readonly run: number; readonly label: string }>> {
  if (runs.length === 0) return new Map();
  const found = await engine.query(
    `select r.number as own, o.number as run, o.label as label from run r
     join run o on o.experiment = r.experiment and o.label = r.label
     where r.experiment = $1 and ${isOneOf("r.number", runs)} and not ${isOneOf("o.number", runs)} and o.active`,
    [id],
  );
  return new Map(
    recordsOf(found).map((row) => [
      Number(row.get("own")),
      { run: Number(row.get("run")), label: String(row.get("label")) },
    ]),
  );
}
