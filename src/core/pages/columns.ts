import type { VersionId } from "../versions/digest.ts";
import type { VerdictOutcome } from "../verdicts/verdict.ts";
import type { Frame } from "./frame.ts";

/**
 * The versions that pages speak of, the oldest first; other messages name them by their place in this list. `date`:
 * unix seconds. `parents`: places of the first parents, -1 where it is not in the list. `profiles`: how many are
 * registered there.
 */
export type VersionColumns = Frame<
  { readonly ids: readonly VersionId[]; readonly subjects: readonly string[]; readonly authors: readonly string[] },
  "date" | "parents" | "profiles"
>;

/**
 * All series: texts as indexes into `texts`. `benchmark`, `metric`, `unit`, `key`: which text; `word`: place in
 * `verdictWords`, `delta`: of the last change, NaN without one; `count`: points; `last`: the newest median; `better`: 0
 * lower, 1 higher; `source`: 0 profiles, 1 an experiment; `block`: which block of points it is in, `from`: where its
 * points begin there.
 */
export type SeriesColumns = Frame<
  { readonly texts: readonly string[]; readonly words: readonly VerdictOutcome[] },
  "benchmark" | "metric" | "unit" | "key" | "word" | "delta" | "count" | "last" | "better" | "source" | "block" | "from"
>;

/**
 * All changes that were found, and what looks like one but is uncertain, worst first. `series`: place in the list of
 * all series; `word`: place in `verdictWords`; `delta`: after / before - 1, `low` and `high` the ends of its interval,
 * `p` and `q`: NaN where there is none; it lies behind `before` up to and with `after`, places in the list of versions,
 * -1 where it is not known; `suspects`: how many versions may have made it. `triage`: what somebody decided about some
 * of them, by their place here.
 */
export type ChangeColumns = Frame<
  { readonly words: readonly VerdictOutcome[]; readonly triage: readonly (readonly [place: number, state: string])[] },
  "series" | "word" | "delta" | "low" | "high" | "p" | "q" | "before" | "after" | "suspects"
>;

/**
 * Points of some series, one after the other. `version`: place of each in the list of versions, -1 where it is not
 * known; `center`: median, `low` and `high`: least and greatest value measured there; `n`: how many values; `changes`:
 * places (in this block's points) at which a change was found, ascending.
 */
export type PointBlock = Frame<{ readonly block: number }, "version" | "center" | "low" | "high" | "n" | "changes">;
