import { groupBy } from "./group-by.ts";
import type { NamedDraft } from "./drafts.ts";
import { maskedLine, wordsOf } from "./numbers.ts";
import type { SampleLine } from "./sample.ts";
import { segmentPattern } from "./line-rules.ts";

/** Lines `name: text` of one name. */
export interface TextGroup {
  readonly name: string;
  readonly lines: readonly SampleLine[];
  readonly rule: NamedDraft;
}

const named = /^(\s*[#*%!-]*\s*)(\p{L}[^=:|"]{0,40}?)(\s*[=:]\s+|\s+=\s*)(\S.*)$/u;
const longestValue = 60;
const mostNameWords = 4;

/** Groups lines such as `Class = S` by their names. */
export function textGroups(lines: readonly SampleLine[]): TextGroup[] {
  const found = lines.flatMap((line) => {
    const [, sign = "", name = "", , value = ""] = (line.numbers.length > 0 ? null : named.exec(line.text)) ?? [];
    const isShort = value.trim().length <= longestValue && wordsOf(name).length <= mostNameWords;
    const isText = /[\p{L}\p{N}]/u.test(value) && !/[=:]\s/.test(value) && !value.trim().endsWith(":");
    return value !== "" && isShort && isText && isPlain(name) ? [{ line, sign, name, value: value.trim() }] : [];
  });
  return [...groupBy(found, ({ sign, name }) => `${sign.trim()} ${name}`).values()].map((same) => {
    const [{ sign, name }] = same as [(typeof found)[number]];
    const prefix = segmentPattern(`${sign.trimStart()}${name}`);
    const cells = same.map(({ line, value }) => ({ sample: line.sample, line: line.line, text: value }));
    return {
      name,
      lines: same.map(({ line }) => line),
      rule: {
        kind: "named",
        mark: { kind: "pattern", source: `^\\s*${prefix}\\s*[=:]\\s*(\\S.*)$` },
        column: { heading: name, type: "text", position: 1, wholeRest: true, cells },
      },
    };
  });
}

/** Messages of programs (`WARNING: …`) and names with dates or paths are no names of values. */
function isPlain(name: string): boolean {
  return !/^(?:warning|error|note|info|debug|usage)$/i.test(name.trim()) && !maskedLine(name).includes("\uE000");
}
