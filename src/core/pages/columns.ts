import type { VersionId } from "../versions/index.ts";
import type { VerdictOutcome } from "../verdicts/index.ts";
import type { Frame } from "./frame.ts";

/**
 * The commits of pages, the oldest first; other messages refer to them by index in this list. `date`: unix seconds.
 * `parents`: indexes of the first parents, -1 if not in the list. `profiles`: number of registered profiles. `tags`:
 * the tagged commits, by index in this list, the oldest first. `names`: all tags and branches of these commits, and
 * `HEAD`.
 */
export type VersionColumns = Frame<
  {
    readonly ids: readonly VersionId[];
    readonly subjects: readonly string[];
    readonly authors: readonly string[];
    readonly tags: readonly (readonly [index: number, name: string])[];
    readonly names: readonly (readonly [index: number, name: string])[];
    /** Messages without their first lines, of the newest commits that have any. */
    readonly bodies: readonly (readonly [index: number, text: string])[];
  },
  "date" | "parents" | "profiles"
>;

/**
 * All series. `benchmark`, `metric`, `unit`, `key`: indexes into `texts`; `word`: index into `verdictOutcomes`;
 * `delta`: of the last change, NaN without one; `count`: number of points; `last`: the newest median; `better`: 0
 * lower, 1 higher; `source`: 0 profiles, 1 an experiment; `block`: its block of points; `from`: index of its first
 * point there.
 */
export type SeriesColumns = Frame<
  { readonly texts: readonly string[]; readonly words: readonly VerdictOutcome[] },
  "benchmark" | "metric" | "unit" | "key" | "word" | "delta" | "count" | "last" | "better" | "source" | "block" | "from"
>;

/**
 * All changes, including inconclusive ones, worst first. `series`: index into the list of all series; `word`: index
 * into `verdictOutcomes`; `delta`: after / before - 1, `low` and `high`: its interval; `p` and `q`: NaN if there is
 * none; `before` and `after`: indexes of the commits around the change, -1 if unknown; `suspects`: number of commits
 * that may have caused it. `triage`: decisions, by index in this list.
 */
export type ChangeColumns = Frame<
  { readonly words: readonly VerdictOutcome[]; readonly triage: readonly (readonly [index: number, state: string])[] },
  "series" | "word" | "delta" | "low" | "high" | "p" | "q" | "before" | "after" | "suspects"
>;

/**
 * All series at two commits, by index in the list of series. `beforeAt`, `afterAt`: the commit of the values, which is
 * the compared one or the nearest measured one before it; -1: none. `before`, `after`: medians; `…Low`, `…High`, `…N`:
 * minimum, maximum and number of values. `noise`: the difference of two points of one level that 5 % exceed; NaN with
 * too few points.
 */
export type StateLevels = Frame<
  { readonly from: number; readonly to: number },
  | "beforeAt"
  | "before"
  | "beforeLow"
  | "beforeHigh"
  | "beforeN"
  | "afterAt"
  | "after"
  | "afterLow"
  | "afterHigh"
  | "afterN"
  | "noise"
>;

/**
 * What several machines measured: for each series and two machines, their points at the newest commit that both
 * measured, and the newest points of each machine; ascending by series and commit. `series`, `version`: indexes as
 * above; `machine`: index into `machines`; `center`: median; `low`, `high`, `n`: minimum, maximum and number of values.
 */
export type MachineColumns = Frame<
  { readonly machines: readonly string[] },
  "series" | "machine" | "version" | "center" | "low" | "high" | "n"
>;
