import type { VersionId } from "../../core/versions/index.ts";
import { rowsOf } from "../../core/tables/index.ts";
import { compareValues, type Value } from "../../core/values/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import {
  type Predicate,
  rowValuesQuery,
  runValuesQuery,
  findColumn,
  findConditions,
  matchingRuns,
  isRowCondition,
  type FindColumn,
  type RunFact,
} from "../../query/plan/index.ts";
import type { DistinctValues } from "../../store/sql/index.ts";
import type { RunSummary } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { selectedCommits, type CommitSelection, spanTest, type TimeSpan } from "../history/index.ts";

/** All given conditions must hold. */
export interface FindOptions extends RunFilter, CommitSelection {
  readonly experiment: string;
  /** Names of variables and run facts (`RunFact`). */
  readonly columns: readonly string[];
  /** Predicate such as `S_size>=1KiByte`; at least one row of the run must satisfy all row conditions. */
  readonly where: readonly string[];
  /** Include deleted runs. */
  readonly deleted: boolean;
  /** Column name, `-name` for descending; ties and runs without a value are ordered by number. */
  readonly sort?: string;
  readonly limit?: number;
  /** Maximum number of distinct values per variable and run. */
  readonly maxValues: number;
  readonly database?: string;
}

export interface FoundRun {
  readonly run: RunSummary;
  /** Number of rows that satisfy the conditions; absent without row conditions. */
  readonly matchingRows?: number;
  /** Parallel to the columns. Facts and `once` variables have at most one value. */
  readonly cells: readonly DistinctValues[];
}

export interface FoundRuns {
  readonly experiment: string;
  readonly columns: readonly FindColumn[];
  readonly runs: readonly FoundRun[];
  /** Total number of runs. */
  readonly among: number;
}

/** Finds matching runs. Fails with `unknown-variable`, `bad-condition`, `pattern-error`, `bad-option`. */
export async function findRuns(workspace: Workspace, options: FindOptions): Promise<FoundRuns> {
  const versions = await selectedCommits(workspace, options);
  const test = runTest(options, versions);
  return withExperiment(workspace, options, "read", async (stored, experiments) => {
    const { experiment } = stored;
    const sort = options.sort === undefined ? undefined : sortKey(options.sort, (name) => findColumn(name, experiment));
    const columns = options.columns.map((name) => findColumn(name, experiment));
    const where = findConditions(options.where, experiment);
    const all = await experiments.runs(stored, options.deleted);
    const fitting = where.length === 0 ? undefined : await fittingCounts(experiments, stored, where, options.deleted);
    const runs = all.filter((run) => test(run) && (fitting?.has(run.number) ?? true));
    const reader = new RunCells(experiments, stored, where, options, runs);
    const cells = await reader.of(columns);
    const keys = sort === undefined ? undefined : (await reader.of([sort.column]))[0];
    const counts = where.some(isRowCondition) ? fitting : undefined;
    const found = runs.map((run, at): FoundRun => {
      const count = counts?.get(run.number);
      return {
        run,
        ...(count === undefined ? {} : { matchingRows: count }),
        cells: cells.map((column) => column[at] ?? none),
      };
    });
    const ordered = sort === undefined || keys === undefined ? found : sorted(found, keys, sort);
    return { experiment: experiment.name, columns, runs: ordered.slice(0, options.limit), among: all.length };
  });
}

type Stored = Awaited<ReturnType<Experiments["find"]>>;

const none: DistinctValues = { values: [], distinct: 0 };

function single(value: Value | undefined): DistinctValues {
  return value === null || value === undefined ? none : { values: [value], distinct: 1 };
}

/** Number of matching rows by run number; only runs with any. */
async function fittingCounts(
  experiments: Experiments,
  stored: Stored,
  where: readonly Predicate[],
  deleted: boolean,
): Promise<Map<number, number>> {
  const rows = rowsOf(await experiments.select(stored, matchingRuns(where, deleted)));
  return new Map(rows.map(([run, count]) => [Number(run), Number(count)]));
}

/**
 * Cells of columns, parallel to the runs. One statement reads all `once` variables, and one each `multiple` variable.
 */
class RunCells {
  readonly #experiments: Experiments;
  readonly #stored: Stored;
  readonly #where: readonly Predicate[];
  readonly #options: FindOptions;
  readonly #runs: readonly RunSummary[];

  constructor(
    experiments: Experiments,
    stored: Stored,
    where: readonly Predicate[],
    options: FindOptions,
    runs: readonly RunSummary[],
  ) {
    this.#experiments = experiments;
    this.#stored = stored;
    this.#where = where;
    this.#options = options;
    this.#runs = runs;
  }

  async of(columns: readonly FindColumn[]): Promise<DistinctValues[][]> {
    const once = await this.#once(columns);
    const cells: DistinctValues[][] = [];
    for (const column of columns) {
      if ("fact" in column) cells.push(this.#runs.map((run) => factOf(run, column.fact)));
      else if (column.variable.occurrence === "once") cells.push(once.get(column.name) ?? []);
      else cells.push(await this.#ofRows(column.variable));
    }
    return cells;
  }

  async #once(columns: readonly FindColumn[]): Promise<Map<string, DistinctValues[]>> {
    const variables = columns.flatMap((column) =>
      "variable" in column && column.variable.occurrence === "once" ? [column.variable] : [],
    );
    if (variables.length === 0) return new Map();
    const table = await this.#experiments.select(this.#stored, runValuesQuery(variables, this.#options.deleted));
    const rows = new Map(rowsOf(table).map(([run, ...values]) => [Number(run), values as Value[]]));
    return new Map(
      variables.map(({ name }, at) => [name, this.#runs.map(({ number }) => single(rows.get(number)?.[at]))]),
    );
  }

  async #ofRows(variable: Extract<FindColumn, { variable: unknown }>["variable"]): Promise<DistinctValues[]> {
    const { deleted, maxValues } = this.#options;
    const found = await this.#experiments.valuesPerRun(
      this.#stored,
      rowValuesQuery(variable, this.#where, deleted),
      maxValues,
    );
    return this.#runs.map(({ number }) => found.get(number) ?? none);
  }
}

/** Value of a run fact; several values for several input files. */
export function factOf(run: RunSummary, fact: RunFact): DistinctValues {
  const paths = run.sources.map(({ path }) => path);
  switch (fact) {
    case "run":
      return single(run.number);
    case "commit":
      return single(run.version);
    case "rows":
      return single(run.rows);
    case "files":
      return { values: paths, distinct: paths.length };
    case "inputs":
      return single(paths.length);
    case "state":
      return single(run.active ? "active" : "deleted");
    default:
      return single(run[fact]);
  }
}

interface SortKey {
  readonly column: FindColumn;
  readonly descending: boolean;
}

function sortKey(word: string, find: (name: string) => FindColumn): SortKey {
  const descending = word.startsWith("-");
  return { column: find(descending ? word.slice(1) : word), descending };
}

/** Sorts by the first value (the smallest, for rows). */
function sorted(
  found: readonly FoundRun[],
  keys: readonly DistinctValues[],
  { column, descending }: SortKey,
): FoundRun[] {
  const rows = found.map((run, at) => ({ run, key: keys[at]?.values[0] ?? null }));
  const ordered = rows.toSorted((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return (descending ? -1 : 1) * compareValues(a.key, b.key, column.type);
  });
  return ordered.map(({ run }) => run);
}

/** Filters on run metadata; all must match. */
interface RunFilter {
  /** Patterns searched in the synopsis, the label, or a file path. */
  readonly synopsis?: string;
  readonly label?: string;
  readonly file?: string;
  readonly performed?: TimeSpan;
  readonly created?: TimeSpan;
  /** One of these. */
  readonly performers?: readonly string[];
}

type Test = (run: RunSummary) => boolean;

/**
 * Predicate for the filter; `versions`: the run must belong to one of these. Fails with `pattern-error`, `bad-option`.
 */
function runTest(choice: RunFilter, versions: ReadonlySet<VersionId> | undefined): Test {
  const { performers } = choice;
  const tests: Test[] = [
    ...patternTest(choice.synopsis, (run) => [run.synopsis ?? ""]),
    ...patternTest(choice.label, (run) => [run.label ?? ""]),
    ...patternTest(choice.file, (run) => run.sources.map(({ path }) => path)),
    ...spanTests(choice.performed, "--performed", (run) => run.performed),
    ...spanTests(choice.created, "--created", (run) => run.created),
    ...(performers === undefined ? [] : [(run: RunSummary): boolean => performers.includes(run.performer ?? "")]),
    ...(versions === undefined
      ? []
      : [({ version }: RunSummary): boolean => version !== undefined && versions.has(version)]),
  ];
  return (run) => tests.every((test) => test(run));
}

function patternTest(source: string | undefined, texts: (run: RunSummary) => readonly string[]): Test[] {
  if (source === undefined) return [];
  const pattern = compilePattern(source);
  return [(run) => texts(run).some((text) => pattern.test(text))];
}

function spanTests(span: TimeSpan | undefined, option: string, time: (run: RunSummary) => number): Test[] {
  if (span === undefined) return [];
  const isIn = spanTest(span, { from: `${option}-from`, to: `${option}-to` });
  return [(run) => isIn(time(run))];
}
