import { Failure } from "../../core/failures/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";

/** The subjects to compare; an empty list selects all. */
export interface SubjectSelection {
  /** Patterns; one has to match the benchmark. */
  readonly names: readonly string[];
  readonly metrics: readonly string[];
}

/**
 * The selected subjects of all sides; the others are not tests of the comparison. Fails with `nothing-to-compare` if
 * nothing is selected, and with `bad-pattern`.
 */
export async function selectSubjects(
  sides: readonly Measurements[],
  selection?: SubjectSelection,
): Promise<readonly Measurements[]> {
  if (selection === undefined || selection.names.length + selection.metrics.length === 0) return sides;
  const { compilePattern } = await import("../../formats/text/pattern.ts");
  const patterns = selection.names.map((pattern) => compilePattern(pattern));
  const isSelected = ({ subject }: Measured): boolean =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(subject.benchmark))) &&
    (selection.metrics.length === 0 || selection.metrics.includes(subject.metric));
  const selected = sides.map((side) => ({ ...side, measured: side.measured.filter(isSelected) }));
  if (selected.some(({ measured }) => measured.length > 0)) return selected;
  const metrics = [...new Set(sides.flatMap(({ measured }) => measured.map(({ subject }) => subject.metric)))];
  throw new Failure("nothing-to-compare", {
    what: "no benchmark matches --filter and --metric",
    instead: `the metrics are ${metrics.join(", ")}`,
  });
}
