import type { VersionId } from "../../core/versions/digest.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { compareValues, type Value } from "../../core/values/value.ts";
import { compilePattern } from "../../formats/text/pattern.ts";
import type { Condition } from "../../query/plan/condition.ts";
import {
  contentsOfDataSets,
  contentsOfRuns,
  findColumn,
  findConditions,
  fittingRuns,
  isOfDataSets,
  type FindColumn,
  type RunFact,
} from "../../query/plan/find-runs.ts";
import type { DistinctContents } from "../../store/sql/values-per-run.ts";
import type { RunSummary } from "../../store/catalogue/experiment-lists.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { chosenVersions, type VersionChoice } from "../history/history.ts";
import { spanTest, type TimeSpan } from "../history/time-span.ts";

/** Everything that is said must hold. */
export interface FindOptions extends RunChoice, VersionChoice {
  readonly experiment: string;
  /** Names of variables and of facts of runs (`RunFact`). */
  readonly columns: readonly string[];
  /** Conditions like `S_size>=1KiByte`; those on data sets must hold together for at least one data set of the run. */
  readonly where: readonly string[];
  /** Also runs that were deleted. */
  readonly deleted: boolean;
  /** The name of a column, `-name` for descending; ties and runs without one are in order of their numbers. */
  readonly sort?: string;
  readonly limit?: number;
  /** How many different contents of a variable are told per run. */
  readonly most: number;
  readonly database?: string;
}

export interface FoundRun {
  readonly run: RunSummary;
  /** How many of its data sets fulfil the conditions; absent where none looks at data sets. */
  readonly fitting?: number;
  /** Parallel to the columns. A fact and a content of the run itself are one content, or none. */
  readonly cells: readonly DistinctContents[];
}

export interface FoundRuns {
  readonly experiment: string;
  readonly columns: readonly FindColumn[];
  readonly runs: readonly FoundRun[];
  /** How many runs there are to choose from. */
  readonly among: number;
}

/**
 * The runs of an experiment that fit. Fails with `unknown-variable`, `bad-condition`, `pattern-error`, `bad-option`.
 */
export async function findRuns(workspace: Workspace, options: FindOptions): Promise<FoundRuns> {
  const versions = await chosenVersions(workspace, options);
  const test = runTest(options, versions);
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const { experiment } = stored;
    const sort = options.sort === undefined ? undefined : sortKey(options.sort, (name) => findColumn(name, experiment));
    const columns = options.columns.map((name) => findColumn(name, experiment));
    const where = findConditions(options.where, experiment);
    const all = await experiments.runs(stored, options.deleted);
    const fitting = where.length === 0 ? undefined : await fittingCounts(experiments, stored, where, options.deleted);
    const runs = all.filter((run) => test(run) && (fitting?.has(run.number) ?? true));
    const answers = new Answers(experiments, stored, where, options, runs);
    const cells = await answers.of(columns);
    const keys = sort === undefined ? undefined : (await answers.of([sort.column]))[0];
    const counts = where.some(isOfDataSets) ? fitting : undefined;
    const found = runs.map((run, at): FoundRun => {
      const count = counts?.get(run.number);
      return {
        run,
        ...(count === undefined ? {} : { fitting: count }),
        cells: cells.map((column) => column[at] ?? none),
      };
    });
    const ordered = sort === undefined || keys === undefined ? found : sorted(found, keys, sort);
    return { experiment: experiment.name, columns, runs: ordered.slice(0, options.limit), among: all.length };
  });
}

type Stored = Awaited<ReturnType<Experiments["find"]>>;

const none: DistinctContents = { contents: [], distinct: 0 };

function single(value: Value | undefined): DistinctContents {
  return value === null || value === undefined ? none : { contents: [value], distinct: 1 };
}

/** By number of run, how many rows fulfil the conditions; only runs that have one. */
async function fittingCounts(
  experiments: Experiments,
  stored: Stored,
  where: readonly Condition[],
  deleted: boolean,
): Promise<Map<number, number>> {
  const rows = rowsOf(await experiments.select(stored, fittingRuns(where, deleted)));
  return new Map(rows.map(([run, count]) => [Number(run), Number(count)]));
}

/**
 * Cells of columns, parallel to the runs. Contents come by one statement for all variables of runs, and one for each of
 * data sets.
 */
class Answers {
  readonly #experiments: Experiments;
  readonly #stored: Stored;
  readonly #where: readonly Condition[];
  readonly #options: FindOptions;
  readonly #runs: readonly RunSummary[];

  constructor(
    experiments: Experiments,
    stored: Stored,
    where: readonly Condition[],
    options: FindOptions,
    runs: readonly RunSummary[],
  ) {
    this.#experiments = experiments;
    this.#stored = stored;
    this.#where = where;
    this.#options = options;
    this.#runs = runs;
  }

  async of(columns: readonly FindColumn[]): Promise<DistinctContents[][]> {
    const once = await this.#once(columns);
    const answers: DistinctContents[][] = [];
    for (const column of columns) {
      if ("fact" in column) answers.push(this.#runs.map((run) => factOf(run, column.fact)));
      else if (column.variable.occurrence === "once") answers.push(once.get(column.name) ?? []);
      else answers.push(await this.#ofDataSets(column.variable));
    }
    return answers;
  }

  async #once(columns: readonly FindColumn[]): Promise<Map<string, DistinctContents[]>> {
    const variables = columns.flatMap((column) =>
      "variable" in column && column.variable.occurrence === "once" ? [column.variable] : [],
    );
    if (variables.length === 0) return new Map();
    const table = await this.#experiments.select(this.#stored, contentsOfRuns(variables, this.#options.deleted));
    const rows = new Map(rowsOf(table).map(([run, ...contents]) => [Number(run), contents as Value[]]));
    return new Map(
      variables.map(({ name }, at) => [name, this.#runs.map(({ number }) => single(rows.get(number)?.[at]))]),
    );
  }

  async #ofDataSets(variable: Extract<FindColumn, { variable: unknown }>["variable"]): Promise<DistinctContents[]> {
    const { deleted, most } = this.#options;
    const found = await this.#experiments.contentsPerRun(
      this.#stored,
      contentsOfDataSets(variable, this.#where, deleted),
      most,
    );
    return this.#runs.map(({ number }) => found.get(number) ?? none);
  }
}

/** A fact of a run; several contents where it came from several files. */
export function factOf(run: RunSummary, fact: RunFact): DistinctContents {
  const paths = run.sources.map(({ path }) => path);
  switch (fact) {
    case "run":
      return single(run.number);
    case "commit":
      return single(run.version);
    case "rows":
      return single(run.dataSets);
    case "files":
      return { contents: paths, distinct: paths.length };
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

/** By the first (of data sets: the least) content. */
function sorted(
  found: readonly FoundRun[],
  keys: readonly DistinctContents[],
  { column, descending }: SortKey,
): FoundRun[] {
  const rows = found.map((run, at) => ({ run, key: keys[at]?.contents[0] ?? null }));
  const ordered = rows.toSorted((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return (descending ? -1 : 1) * compareValues(a.key, b.key, column.type);
  });
  return ordered.map(({ run }) => run);
}

/** What can be said of runs themselves; all of it must hold. */
interface RunChoice {
  /** Patterns that find something in the synopsis, the label, the path of a file. */
  readonly synopsis?: string;
  readonly label?: string;
  readonly file?: string;
  readonly performed?: TimeSpan;
  readonly created?: TimeSpan;
  /** Any of these. */
  readonly performers?: readonly string[];
}

type Test = (run: RunSummary) => boolean;

/** Whether a run is chosen; `versions`: it measured one of these. Fails with `pattern-error`, `bad-option`. */
function runTest(choice: RunChoice, versions: ReadonlySet<VersionId> | undefined): Test {
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
