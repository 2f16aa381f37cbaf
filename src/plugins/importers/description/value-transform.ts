import { Failure } from "../../../core/failures/failure.ts";
import { unescaped } from "../../../core/text/text-escape.ts";
import type { ValueFilter, ValueMap, Cut } from "../../../formats/descriptions/input/input-description.ts";
import { compilePattern } from "../../../formats/text/pattern.ts";

/**
 * Characters that the searches of one filter may have before them in one content, added up. Every search is linear, but
 * a pattern that looks far ahead and takes little makes all of them together quadratic.
 */
const mostAhead = 1 << 24;

/**
 * What a content becomes: escapes are what they stand for, then filters in order, then the first map that fits. Fails
 * with `pattern-error` when a filter would take too long.
 */
export function shaperOf({
  escapes,
  filters = [],
  maps = [],
}: Pick<Cut, "escapes" | "filters" | "maps">): (text: string) => string {
  const steps = [...(escapes ? [unescaped] : []), ...filters.map(filterOf), ...(maps.length > 0 ? [mapOf(maps)] : [])];
  return (text) => steps.reduce((value, step) => step(value), text);
}

/** Takes out what the pattern matches, but for what its groups hold. */
function filterOf({ source, ignoreCase }: ValueFilter): (text: string) => string {
  const pattern = compilePattern(ignoreCase ? `(?i)${source}` : source);
  return (text) => {
    let [output, at, ahead] = ["", 0, 0];
    for (const { start, end, groups } of pattern.all(text)) {
      ahead += text.length - at;
      if (ahead > mostAhead)
        throw new Failure("pattern-error", {
          pattern: source.slice(0, 80),
          problem: "it takes too many parts out of one content",
        });
      output += text.slice(at, start) + groups.join("");
      at = end;
    }
    return at === 0 ? text : output + text.slice(at);
  };
}

/** Texts are compared with the whole content, patterns are searched in it. */
function mapOf(maps: readonly ValueMap[]): (text: string) => string {
  const tests = maps.map(({ from, to }) => {
    if (from.kind === "keyword") return { fits: (text: string) => text === from.text, to };
    return { fits: compilePattern(from.source).test, to };
  });
  return (text) => tests.find(({ fits }) => fits(text))?.to ?? text;
}
