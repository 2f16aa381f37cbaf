import {
  percent,
  quantityBlocks,
  totalsText,
  type Block,
  type Figure,
  type TableBlock,
} from "../../core/figures/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { ProfileDifference } from "../../core/profiles/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import {
  headerComparison,
  type NamedRun,
  type DifferenceOptions,
  profileDifference,
  stacksOfFunctions,
} from "../../query/difference/index.ts";
import { tracedStacks } from "../../query/flame/index.ts";
import { runWithRows } from "../../query/profile/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { nothingComparable, sideOf, type DiffOptions } from "./diff.ts";
import { flameBlocks, type ComparedFlames } from "./diff-flames.ts";
import { pairedProfiles } from "./pair-profiles.ts";
import { comparedProfiles } from "./profile-differences.ts";

export interface DiffReportOptions extends DiffOptions {
  readonly flames: ComparedFlames;
}

/**
 * Complete comparison of two profiles, or of two commits: headers side by side, totals, a table per quantity with the
 * stacks of each function, and flame graphs of both and of the difference. Fails like `diff`.
 */
export async function diffReport(workspace: Workspace, options: DiffReportOptions): Promise<Figure> {
  const { pairs, onlyBase, onlyTarget } = await pairedProfiles(workspace, options);
  const sections: Block[] = [];
  for (const { base, target } of pairs) {
    const [before, after] = [
      runWithRows(await base.run(), options.only),
      runWithRows(await target.run(), options.only),
    ];
    sections.push(...reportBlocks({ ...sideOf(base), run: before }, { ...sideOf(target), run: after }, options));
  }
  if (sections.length === 0) throw nothingComparable(options);
  const alone = [
    ...onlyBase.map((name) => `only in the base: ${name}`),
    ...onlyTarget.map((name) => `only in the target: ${name}`),
  ];
  const last: Block[] = alone.length === 0 ? [] : [{ kind: "text", text: alone.join("\n") }];
  return { title: `${options.base} -> ${options.target}`, blocks: [...sections, ...last] };
}

/** Empty if the profiles have no quantity in common. */
function reportBlocks(base: NamedRun, target: NamedRun, options: DiffReportOptions): Block[] {
  const { differences, otherMachine } = comparedProfiles(base, target, options);
  if (differences.length === 0) return [];
  const note: Block[] = otherMachine
    ? [{ kind: "text", text: "note: the two profiles were measured on different machines" }]
    : [];
  const stacks = options.by === "function" ? stackDifferences(base, target, options) : null;
  return [
    headerComparison(base, target),
    ...note,
    totalsTable(differences),
    ...differences.flatMap((difference, at) =>
      quantityBlocks(difference, "page", stacks === null ? undefined : stacksOfFunctions(stacks[at]!.rows)),
    ),
    ...flames(base, target, differences, options.flames),
  ];
}

/** Changed stacks of each quantity; null without stacks. */
function stackDifferences(
  { run: base }: NamedRun,
  { run: target }: NamedRun,
  options: DifferenceOptions,
): ProfileDifference[] | null {
  const haveStacks = [base, target].every(({ data }) => data.variables.some(({ name }) => name === "trace"));
  return haveStacks
    ? profileDifference(base, target, { ...options, by: "stack", minShare: 0, limit: Number.POSITIVE_INFINITY })
    : null;
}

function totalsTable(differences: readonly ProfileDifference[]): TableBlock {
  const rows = differences.map(({ metric, unit, before, after }) => [
    metric,
    formatUnit(unit),
    String(before),
    String(after),
    before === 0 ? "-" : percent(after / before - 1),
  ]);
  const head = ["quantity", "unit", "base", "target", "change"].map((label, at): TableBlock["head"][number] => {
    return { label, align: at < 2 ? "left" : "right" };
  });
  return { kind: "table", caption: "Totals", head, rows };
}

/** Flame graphs of each quantity; a text if a profile has no stacks or values. */
function flames(
  base: NamedRun,
  target: NamedRun,
  differences: readonly ProfileDifference[],
  look: ComparedFlames,
): Block[] {
  return differences.flatMap((difference): Block[] => {
    try {
      const [before, after] = [base, target].map(({ run }) => tracedStacks(run, difference.metric));
      if (before && after) return flameBlocks(before, after, look);
      return [{ kind: "text", text: "These profiles have no stacks for flame graphs." }];
    } catch (error) {
      if (!isFailure(error)) throw error;
      return [{ kind: "text", text: `${totalsText(difference)}: no flame graph, ${error.message}` }];
    }
  });
}
