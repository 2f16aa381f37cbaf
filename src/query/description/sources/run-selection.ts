import type { VersionId } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { InvalidValue, readDate, readTimeOfDay } from "../../../core/values/index.ts";
import type { PointInTime, RunSelection, TimeRange } from "../../../core/experiments/index.ts";
import type { CompilePattern } from "../../plan/index.ts";

/** A run as selections see it. Times are microseconds since 1970-01-01T00:00:00Z. */
export interface SelectableRun {
  readonly number: number;
  readonly created: number;
  readonly performed: number;
  readonly synopsis?: string;
  /** Its label. */
  readonly description?: string;
  /** The measured version. */
  readonly version?: VersionId;
}

/** The versions of the commits and the branch of a selection; undefined if it selects no versions. */
export type VersionsOf = (selection: RunSelection) => ReadonlySet<VersionId> | undefined;

const secondsPerDay = 86_400;
const microseconds = 1_000_000;

type Test = (run: SelectableRun) => boolean;

/**
 * The numbers of the runs that match some selection, ascending. Fails with `query-not-possible` for invalid indices and
 * times.
 */
export function selectRuns(
  selections: readonly RunSelection[],
  runs: readonly SelectableRun[],
  compile: CompilePattern,
  versionsOf: VersionsOf,
): number[] {
  const tests = selections.map((selection) => testOf(selection, compile, versionsOf(selection)));
  return runs
    .filter((run) => tests.some((test) => test(run)))
    .map((run) => run.number)
    .sort((a, b) => a - b);
}

/** Whether a selection selects versions. */
export function choosesVersions({ commit, branch, firstParent, since, until }: RunSelection): boolean {
  return [commit, branch, firstParent, since, until].some((each) => each !== undefined);
}

function testOf(selection: RunSelection, compile: CompilePattern, versions: ReadonlySet<VersionId> | undefined): Test {
  const parts = [
    ...(selection.index === undefined ? [] : [indexTest(selection.index, selection.id)]),
    ...timeTests(selection.created, (run) => run.created, selection.id),
    ...timeTests(selection.performed, (run) => run.performed, selection.id),
    ...(selection.label === undefined ? [] : [(run: SelectableRun): boolean => run.description === selection.label]),
    ...(versions === undefined
      ? []
      : [(run: SelectableRun): boolean => run.version !== undefined && versions.has(run.version)]),
    ...textTests(selection.synopsis, (run) => run.synopsis, compile),
    ...textTests(selection.description, (run) => run.description, compile),
  ];
  const all: Test = (run) =>
    selection.boolean === "or" && parts.length > 0 ? parts.some((part) => part(run)) : parts.every((part) => part(run));
  return selection.mask === "exclude" ? (run) => !all(run) : all;
}

function textTests(
  source: string | undefined,
  text: (run: SelectableRun) => string | undefined,
  compile: CompilePattern,
): Test[] {
  if (source === undefined) return [];
  const fits = compile(source);
  return [(run) => fits(text(run) ?? "")];
}

/** Tests `3`, `3-7` (inclusive), `3...` (from 3), `...7` (below 7), separated by commas. */
function indexTest(lists: readonly string[], id: string): Test {
  const tests = lists.flatMap((list) => list.split(",")).map((word) => numbersTest(word.trim(), id));
  return (run) => tests.some((test) => test(run.number));
}

function numbersTest(word: string, id: string): (number: number) => boolean {
  const [, single, from, to, open, below] =
    /^(?:(\d{1,15})|(\d{1,15}) *- *(\d{1,15})|(\d{1,15}) *\.\.\.|\.\.\. *(\d{1,15}))$/.exec(word) ?? [];
  if (single !== undefined) return (number) => number === Number(single);
  if (from !== undefined && to !== undefined) return (number) => number >= Number(from) && number <= Number(to);
  if (open !== undefined) return (number) => number >= Number(open);
  if (below !== undefined) return (number) => number < Number(below);
  throw refused(
    id,
    `'${word.slice(0, 40)}' selects no runs by index`,
    "write 3, 3-7, 3... (from 3 on) or ...7 (below 7), joined by commas",
  );
}

function timeTests(range: TimeRange | undefined, time: (run: SelectableRun) => number, id: string): Test[] {
  const from = range?.from && instant(range.from, "from", id);
  const to = range?.to && instant(range.to, "to", id);
  return [
    ...(from === undefined ? [] : [(run: SelectableRun): boolean => time(run) >= from]),
    ...(to === undefined ? [] : [(run: SelectableRun): boolean => time(run) < to]),
  ];
}

/** The start (`from`) or the exclusive end (`to`) of a time in UTC. A bare date includes the whole day. */
function instant({ date, time }: PointInTime, end: "from" | "to", id: string): number {
  if (date === undefined)
    throw refused(id, "a time without a date selects no runs", "write <date> with day, month and year");
  const year = /^\d{1,2}$/.test(date.year) ? 2000 + Number(date.year) : Number(date.year);
  const month = /^\d+$/.test(date.month) ? date.month : monthNumber(date.month);
  const days = readDate(`${String(year).padStart(4, "0")}-${month}-${date.day}`);
  if (days instanceof InvalidValue)
    throw refused(
      id,
      `there is no day ${date.day} ${date.month} ${date.year}`,
      "write day, month (number or name) and year",
    );
  const seconds = time === undefined ? 0 : readTimeOfDay(time);
  if (seconds instanceof InvalidValue) throw refused(id, `'${time}' is no time of day`, "write hh:mm or hh:mm:ss");
  const first = (days * secondsPerDay + seconds) * microseconds;
  if (end === "from") return first;
  return first + (time === undefined ? secondsPerDay * microseconds : 1);
}

function monthNumber(name: string): number {
  const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
  return months.indexOf(name.trim().slice(0, 3).toLowerCase()) + 1;
}

function refused(element: string, problem: string, advice: string): Failure {
  return new Failure("query-not-possible", { element, problem, advice });
}
