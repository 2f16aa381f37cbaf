import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import { Misfit } from "../core/misfit.ts";
import { readDate, readTimestamp } from "../core/time-text.ts";
import { compilePattern } from "../formats/pattern.ts";
import type { RunSummary } from "../store/experiment-lists.ts";

/** From and to are both meant inclusively; a day without a time is meant whole, in UTC. */
export interface TimeSpan {
  readonly from?: string;
  readonly to?: string;
}

/** What can be said of runs themselves; all of it must hold. */
export interface RunChoice {
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
export function runTest(choice: RunChoice, versions: readonly VersionId[] | undefined): Test {
  const { performers } = choice;
  const tests: Test[] = [
    ...patternTest(choice.synopsis, (run) => [run.synopsis ?? ""]),
    ...patternTest(choice.label, (run) => [run.label ?? ""]),
    ...patternTest(choice.file, (run) => run.sources.map(({ path }) => path)),
    ...spanTests(choice.performed, "--performed", (run) => run.performed),
    ...spanTests(choice.created, "--created", (run) => run.created),
    ...(performers === undefined ? [] : [(run: RunSummary): boolean => performers.includes(run.performer ?? "")]),
    ...(versions === undefined ? [] : [({ version }: RunSummary): boolean => version !== undefined && versions.includes(version)]),
  ];
  return (run) => tests.every((test) => test(run));
}

function patternTest(source: string | undefined, texts: (run: RunSummary) => readonly string[]): Test[] {
  if (source === undefined) return [];
  const pattern = compilePattern(source);
  return [(run) => texts(run).some((text) => pattern.test(text))];
}

function spanTests(span: TimeSpan | undefined, option: string, time: (run: RunSummary) => number): Test[] {
  const [from, to] = [span?.from, span?.to];
  const first = from === undefined ? -Infinity : instant(from, `${option}-from`);
  const behind = to === undefined ? Infinity : instant(to, `${option}-to`) + (readDate(to) instanceof Misfit ? 1 : microsecondsPerDay);
  return from === undefined && to === undefined ? [] : [(run) => time(run) >= first && time(run) < behind];
}

const microsecondsPerDay = 86_400_000_000;

function instant(text: string, option: string): number {
  const value = readTimestamp(text);
  if (value instanceof Misfit) throw new Failure("bad-option", { option, value: text, expected: "a day or a time, like 2004-11-23 18:30" });
  return value;
}
