import type { Verdict } from "../../core/verdicts/index.ts";
import { splitInTwo } from "../../math/descriptive/index.ts";
import { rankSumTest, type Shift, type Stratum, stratifiedRankSum } from "../../math/hypothesis-tests/index.ts";
import { arePositive, confidence, finiteEnds, ratioOfShift } from "./effect.ts";
import { decide, type Decision, type Judgement, type JudgeOptions } from "./decision.ts";

/** Fewest values of each side at a level, and their least share of the side, to compare the sides within it. */
const [fewest, leastShare] = [3, 0.15];

/** Both sides at one level. */
type LevelSides = readonly [before: Float64Array, after: Float64Array];

/** Values of both sides at two levels far apart, such as those of a processor that is shared or not. */
interface TwoLevels {
  readonly low: LevelSides;
  readonly high: LevelSides;
}

/**
 * The judgement on values that have two levels: the change is that within a level, by the rank-sum test and the shift
 * within both, however often each is taken. If only that changed, the verdict is inconclusive: the machine takes levels
 * as well as the code. null: the values have one level, or no level has enough values of both sides.
 */
export function judgeWithinLevels(
  known: Omit<Verdict, "outcome">,
  old: Float64Array,
  now: Float64Array,
  options: JudgeOptions,
): Judgement | null {
  const levels = twoLevelsOf(old, now);
  if (levels === null) return null;
  const strata = [levels.low, levels.high].map(
    ([before, after]) => [before.map(Math.log), after.map(Math.log)] as const,
  );
  const { p, ...shift } = stratifiedRankSum(strata, confidence);
  const { shift: delta, ...ends } = ratioOfShift(spanned(shift, strata));
  const fast = known.subject.better === "lower" ? levels.low : levels.high;
  const modes = { before: fast[0].length / old.length, after: fast[1].length / now.length };
  const verdict: Verdict = {
    ...known,
    outcome: "inconclusive",
    delta,
    ...finiteEnds(ends),
    p,
    test: "mann-whitney within levels",
    effect: "shift-within-levels",
    modes,
  };
  const moved = rankSumTest(marks(modes.before, old.length), marks(modes.after, now.length)) <= options.alpha;
  const shares = [modes.before, modes.after].map(percent);
  const text = `the values have two levels: ${shares[0]} of the old are at the better one, ${shares[1]} of the new`;
  return { verdict, decide: (rate) => explained(decide(verdict, rate, true, options), text, moved) };
}

/** The interval widened to those of the single levels: a change may be of another size at each. */
function spanned(shift: Shift, strata: readonly Stratum[]): Shift {
  const each = strata
    .map((stratum) => stratifiedRankSum([stratum], confidence))
    .filter(({ low }) => !Number.isNaN(low));
  return {
    shift: shift.shift,
    low: Math.min(shift.low, ...each.map(({ low }) => low)),
    high: Math.max(shift.high, ...each.map(({ high }) => high)),
  };
}

function explained(decision: Decision, text: string, moved: boolean): Decision {
  const isChange = decision.outcome === "worse" || decision.outcome === "better";
  if (moved && !isChange)
    return {
      ...decision,
      outcome: "inconclusive",
      reason: `${text}; within a level no change is certain; alternate both sides (run ab), or count instructions`,
    };
  return { ...decision, reason: decision.reason === null ? text : `${text}; ${decision.reason}` };
}

function twoLevelsOf(old: Float64Array, now: Float64Array): TwoLevels | null {
  if (!arePositive(old, now)) return null;
  const limit = splitInTwo(Float64Array.from([...old, ...now], Math.log));
  if (limit === null) return null;
  const atLevel = (isAt: (value: number) => boolean): LevelSides => [old.filter(isAt), now.filter(isAt)];
  const levels = {
    low: atLevel((value) => Math.log(value) <= limit),
    high: atLevel((value) => Math.log(value) > limit),
  };
  const isCommon = ([before, after]: LevelSides): boolean =>
    before.length >= Math.max(fewest, leastShare * old.length) &&
    after.length >= Math.max(fewest, leastShare * now.length);
  return isCommon(levels.low) || isCommon(levels.high) ? levels : null;
}

/** Ones for a share of `count` values, zeros for the others. */
function marks(share: number, count: number): Float64Array {
  return new Float64Array(count).fill(1, 0, Math.round(share * count));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
