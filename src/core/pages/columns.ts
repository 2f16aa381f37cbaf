import type { VersionId } from "../digest.ts";
import type { VerdictWord } from "../verdict.ts";
import type { Frame } from "./frame.ts";

/**
 * The versions that pages speak of, the oldest first; other messages name them by their place in this list. `date`: unix seconds.
 * `parents`: places of the first parents, -1 where it is not in the list. `profiles`: how many are registered there.
 */
export type VersionColumns = Frame<
  { readonly ids: readonly VersionId[]; readonly subjects: readonly string[]; readonly authors: readonly string[] },
  "date" | "parents" | "profiles"
>;

/**
 * All series: texts as indexes into `texts`. `benchmark`, `metric`, `unit`, `key`: which text; `word`: place in `verdictWords`, `delta`: of the
 * last change, NaN without one; `count`: points; `last`: the newest median; `better`: 0 lower, 1 higher; `block`: which block of points it is in, `from`: where its points begin there.
 */
export type SeriesColumns = Frame<
  { readonly texts: readonly string[]; readonly words: readonly VerdictWord[] },
  "benchmark" | "metric" | "unit" | "key" | "word" | "delta" | "count" | "last" | "better" | "block" | "from"
>;

/**
 * Points of some series, one after the other. `version`: place of each in the list of versions, -1 where it is not known; `center`: median, `low`
 * and `high`: least and greatest value measured there; `n`: how many values; `changes`: places (in this block's points) at which a change was found,
 * ascending; `noted`: 1 at points whose details (evidence, machine) can be asked for.
 */
export type PointBlock = Frame<{ readonly block: number }, "version" | "center" | "low" | "high" | "n" | "changes">;
