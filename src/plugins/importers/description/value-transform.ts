import { Failure } from "../../../core/failures/index.ts";
import { unescaped } from "../../../core/text/index.ts";
import type { ValueFilter, ValueMap, Cut } from "../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../formats/text/index.ts";

/**
 * Maximum total of characters scanned by one filter in one value. Each search is linear, but a pattern with a long
 * lookahead and short matches makes their sum quadratic.
 */
const mostAhead = 1 << 24;

/**
 * Returns the function that transforms a value: escapes are decoded, filters apply in order, then the first matching
 * map. Fails with `pattern-error` when a filter would take too long.
 */
export function valueTransform({
  escapes,
  filters = [],
  maps = [],
}: Pick<Cut, "escapes" | "filters" | "maps">): (text: string) => string {
  const steps = [...(escapes ? [unescaped] : []), ...filters.map(filterOf), ...(maps.length > 0 ? [mapOf(maps)] : [])];
  return (text) => steps.reduce((value, step) => step(value), text);
}

/** Removes what the pattern matches, except for its groups. */
function filterOf({ source, ignoreCase }: ValueFilter): (text: string) => string {
  const pattern = compilePattern(ignoreCase ? `(?i)${source}` : source);
  return (text) => {
    let [output, at, ahead] = ["", 0, 0];
    for (const { start, end, groups } of pattern.all(text)) {
      ahead += text.length - at;
      if (ahead > mostAhead)
        throw new Failure("pattern-error", {
          pattern: source.slice(0, 80),
          problem: "it matches too often in one value",
        });
      output += text.slice(at, start) + groups.join("");
      at = end;
    }
    return at === 0 ? text : output + text.slice(at);
  };
}

/** Texts must equal the complete value; patterns may match anywhere in it. */
function mapOf(maps: readonly ValueMap[]): (text: string) => string {
  const tests = maps.map(({ from, to }) => {
    if (from.kind === "keyword") return { fits: (text: string) => text === from.text, to };
    return { fits: compilePattern(from.source).test, to };
  });
  return (text) => tests.find(({ fits }) => fits(text))?.to ?? text;
}
