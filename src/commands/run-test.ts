import type { VersionId } from "../core/digest.ts";
import { compilePattern } from "../formats/text/pattern.ts";
import type { RunSummary } from "../store/experiment-lists.ts";
import { spanTest, type TimeSpan } from "./time-span.ts";

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
export function runTest(choice: RunChoice, versions: ReadonlySet<VersionId> | undefined): Test {
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
