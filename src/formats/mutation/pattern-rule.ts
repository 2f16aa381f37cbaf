import { compilePattern, type Pattern, type PatternMatch } from "../text/index.ts";
import { between, type MutationRule, type Random } from "./rule.ts";
import { editText, replaced } from "./sample-text.ts";

/** Limit on examined matches, which bounds the cost of texts with many of them. */
const mostMatches = 10_000;

/**
 * A user's rule: replaces one randomly chosen match of the pattern. In the replacement `\1` to `\9` are its groups and
 * `\\` is a backslash. Fails with `pattern-error`.
 */
export function patternRule(pattern: string, replacement: string): MutationRule {
  const compiled = compilePattern(pattern);
  return Object.freeze<MutationRule>({
    name: `pattern ${pattern}`,
    synopsis: `replace ${pattern} with ${replacement}`,
    family: "pattern",
    apply: (bytes, random) => editText(bytes, (text) => replacedAtOne(text, compiled, replacement, random)),
  });
}

function replacedAtOne(text: string, pattern: Pattern, replacement: string, random: Random): string {
  const matches: PatternMatch[] = [];
  for (const match of pattern.all(text)) if (matches.push(match) >= mostMatches) break;
  const match = matches[between(0, matches.length - 1, random)];
  return match ? replaced(text, match, expanded(replacement, match)) : text;
}

function expanded(replacement: string, { groups }: PatternMatch): string {
  return replacement.replaceAll(/\\([1-9\\])/g, (_, what: string) =>
    what === "\\" ? "\\" : (groups[Number(what) - 1] ?? ""),
  );
}
