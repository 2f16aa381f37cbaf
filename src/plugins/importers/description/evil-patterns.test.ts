import { expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { parseExperiment } from "../../../formats/descriptions/experiment/experiment.ts";
import type { InputLocation, NamedLocation } from "../../../formats/descriptions/input/input-description.ts";
import { description } from "./description.ts";

/* Patterns on which backtracking engines take exponential or polynomial time. Each is used wherever a pattern is
   allowed, on a line that nearly matches. The test passes if it terminates. */

const a = "a".repeat(5000);
const digits = "1".repeat(5000);
const blanks = " ".repeat(5000);
const evil: readonly (readonly [string, string])[] = [
  ["(a+)+$", `${a}!`],
  ["(a*)*$", `${a}!`],
  ["(a|a)*$", `${a}!`],
  ["(a|aa)+$", `${a}!`],
  ["(a|a?)+$", `${a}!`],
  ["(.*a){20}$", `${a}!`],
  ["(.*){10}!$", `${a}?`],
  ["^(a+)+b", a],
  ["^((a+)+)+$", `${a}!`],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", a],
  ["(a?){100}a{100}", "a".repeat(100)],
  ["(x+x+)+y", "x".repeat(5000)],
  ["(x+x+x+)+y", "x".repeat(5000)],
  ["^(.*?,){30}P", "1,".repeat(2500)],
  ["(.*?,){20}x", "1,".repeat(2500)],
  ["\\s+$", `${blanks}x`],
  ["^\\s+|\\s+$", `x${blanks}x`],
  ["(\\s|\\s)*=", blanks],
  ["(\\s*\\w*)*=", `${blanks}!`],
  ["\\d+\\d+\\d+=", digits],
  ["(\\d+)*[a-z]$", `${digits}!`],
  ["^(\\d+\\.?)+$", `${digits}!`],
  ["([0-9]+,?)*=", digits],
  ["^([+-]?\\d*\\.?\\d*)*$", `${digits}x`],
  ["(\\w+\\s?)*:$", `${"word ".repeat(1000)}!`],
  ["^(\\w+\\s*)+$", `${"word ".repeat(1000)}!`],
  ["^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$", a],
  ["^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@x", a],
  ["^(https?://)?([a-z]+\\.?)+/$", a],
  ["(/[a-z]*)*\\.c:", "/a".repeat(2500)],
  ["^(([^/]+)/?)+:$", "dir/".repeat(1200)],
  ['"([^"\\\\]|\\\\.)*"', `"${"\\\\".repeat(2500)}`],
  ['("[^"]*"|[^,])*;', '"a",'.repeat(1200)],
  ["<!--(.|\\n)*-->", `<!--${a}`],
  ["(<[^>]*>)*$", "<".repeat(5000)],
  ["\\((.*)\\)\\((.*)\\)=", "(".repeat(2500) + ")".repeat(2500)],
  ["(.+)+=(.+)+;", "=".repeat(5000)],
  ["^(.+)=(.+)=(.+)=(.+);$", "=".repeat(5000)],
  [".*.*.*.*=x", a],
  [".*a.*a.*a.*a.*a=", a],
  ["(?i)(A|a)+$", `${a}!`],
  ["(?s)(.|\\s)*x$", blanks],
  ["([ab]*)*c", "ab".repeat(2500)],
  ["(ab|a|b)*c", "ab".repeat(2500)],
  ["((ab)*)*c", "ab".repeat(2500)],
  ["(a+b?)+(a+b?)+$", `${a}!`],
  ["^(?:a?a?a?a?)*$", `${a}!`],
  ["(\\w|\\d|_)+-$", digits],
  ["(0|1[0-9]*)*x", digits],
  ["(?:[^a]*a){1,50}b", a],
  ["(é|e\\w*)+!", "é".repeat(2500)],
  ["x*x*x*x*x*x*x*x*x*x*y", "x".repeat(5000)],
];

const experiment = parseExperiment(
  "*experiment e\n*parameter op text\n*parameter n int\n*result T float s\n*result B float\n",
  "e.exp",
);
const origin = { line: 1, column: 1 };
const named = (name: string, more: Partial<NamedLocation>): NamedLocation => ({
  kind: "named",
  name,
  aliases: [],
  patterns: [],
  origin,
  ...more,
});

/** The pattern as location, filter, map, trigger, block mark, row of a table and separator. */
function everywhere(source: string): readonly (readonly InputLocation[])[] {
  const mark = { kind: "pattern", source } as const;
  const filter = { source, ignoreCase: false };
  const t = named("T", { aliases: ["t"] });
  return [
    [t, named("op", { patterns: [source] }), named("n", { patterns: [source], mode: "count" })],
    [t, named("op", { aliases: ["text"], filters: [filter], maps: [{ from: mark, to: "x" }] })],
    [t, named("op", { triggers: [{ mark, skip: 0 }] })],
    [t, named("op", { block: { begin: [{ mark, skip: 0 }], end: [{ mark, skip: 0 }] } })],
    [
      t,
      { kind: "separation", mark, run: true, origin },
      {
        kind: "explicit",
        name: "B",
        row: mark,
        position: { kind: "number", number: 1 },
        repetition: 1,
        typed: false,
        origin,
      },
    ],
  ];
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

test.each(evil)("%s", { timeout: 60_000 }, async (source, subject) => {
  for (const rules of ["sets", "stream"] as const) {
    for (const locations of everywhere(source)) {
      const guide = { experiment, description: { file: "in", rules, locations } };
      let found = 0;
      try {
        for await (const event of description.read(bytes(`t=1\n${subject}\ntext ${subject}\n`), new Map(), guide))
          found += event.kind === "end" ? 1 : 0;
        expect(found).toBeGreaterThan(0);
      } catch (error) {
        expect(isFailure(error) ? "a failure" : error).toBe("a failure");
      }
    }
  }
});
