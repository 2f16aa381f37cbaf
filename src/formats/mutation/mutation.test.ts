import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { patternRule } from "./sample-text.ts";
import { mutate, type MutationRule, type Random } from "./rule.ts";
import { allRules, kindOfSample, suits, attributesOf, tagsOf } from "./sample-kind.ts";
import { decodedUtf8 } from "./sample-text.ts";

const encoder = new TextEncoder();
const limit = 100_000;
/** Where samples are many. */
const few = 5000;
const rules = allRules([patternRule("[0-9]+", "<\\1>")]);
const rule = (name: string): MutationRule => rules.find((one) => one.name === name)!;

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** The numbers in order, the last one for ever. */
function numbers(...values: number[]): Random {
  let at = 0;
  return () => values[Math.min(at++, values.length - 1)] ?? 0;
}

function applied(name: string, text: string, ...random: number[]): string {
  return new TextDecoder().decode(rule(name).apply(encoder.encode(text), numbers(...random), limit));
}

const almostOne = 0.999_999;

test("every rule has a unique name and a synopsis, and is frozen", () => {
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const one of rules) expect([one.synopsis.length > 0, Object.isFrozen(one)]).toEqual([true, true]);
});

describe("known answers", () => {
  test.each<[name: string, text: string, random: number[], changed: string]>([
    ["change-character", "abc\n", [0, 0.5, 0], "a c\n"],
    ["insert-blanks", "ab\n", [0, 0.5, 0.5, 0], `a${" ".repeat(100)}b\n`],
    ["insert-blanks", "ab\n", [0, 0, almostOne], `ab${" ".repeat(1000)}\n`],
    ["split-line", "ab\ncd\n", [almostOne, 0.5, 0.5], "ab\nc\nd\n"],
    ["double-line", "ab\ncd", [almostOne], "ab\ncdcd"],
    ["append-blanks", "ab\ncd\n", [0, 0], `ab${" ".repeat(100)}\ncd\n`],
    ["prepend-blanks", "ab\ncd\n", [0, 0], `${" ".repeat(100)}ab\ncd\n`],
    ["strip-blanks", "  ab \ncd", [0], "ab\ncd"],
    ["multiply-blanks", "a b  c", [0], `a${" ".repeat(10)}b${" ".repeat(20)}c`],
    ["duplicate-line", "ab\ncd\n", [0], "ab\nab\ncd\n"],
    ["sort-words", "pear apple  fig", [0], "apple fig  pear"],
    ["sort-words", "10 9 -1", [0], "-1 9 10"],
    ["sort-words", "10 9 x", [0], "10 9 x"],
    ["reverse-words", "10 9 110", [0], "110 10 9"],
    ["repeat-word", "a bc d", [0, 0.5], `a ${"bc ".repeat(99)}bc d`],
    ["delete-line", "ab\ncd\nef", [0.5], "ab\nef"],
    ["delete-word", "a bc d", [0, 0.5], "a  d"],
    ["delete-character", "abc", [0, 0.5], "ac"],
    ["repeat-character", "a(b", [0, 0.5, 0], `a${"(".repeat(100)}b`],
    ["repeat-lines", "a\nb\nc", [0, 0.1, 0], `${"a\nb\n".repeat(9)}a\nb\nc`],
    ["drop-attribute-value", "<a x=\"1\" y='2'/>", [0], "<a x=\"\" y='2'/>"],
    ["drop-attribute-name", "<a x=\"1\" y='2'/>", [almostOne], "<a x=\"1\" ='2'/>"],
    ["drop-attribute", "<a x=\"1\" y='2'/>", [0], "<a y='2'/>"],
    ["drop-tag", "<a><b>t</b></a>", [0.3], "<a>t</b></a>"],
    ["repeat-tag", "<a>t</a>", [0, 0], `${"<a>".repeat(10)}t</a>`],
    ["remove-zero-byte", "a\0b\0", [0], "ab\0"],
    ["insert-zero-byte", "ab", [0.5], "a\0b"],
    ["insert-byte", "ab", [0.5, 0.5], "a\uFFFDb"],
    ["remove-byte", "abc", [0.5], "ac"],
    ["swap-bytes", "abc", [0, almostOne], "cba"],
    ["flip-bit", "abc", [0, 0], "`bc"],
    ["repeat-bytes", "abc", [0, 0.02, 0], `${"ab".repeat(10)}c`],
    ["pattern [0-9]+", "a1 b22", [almostOne], "a1 b<>"],
  ])("%s of %j", (name, text, random, changed) => {
    expect(applied(name, text, ...random)).toBe(changed);
  });

  test.each(rules.map(({ name }) => name))("%s of nothing", (name) => {
    expect(() => rule(name).apply(new Uint8Array(), seededRandom(1), limit)).not.toThrow();
  });

  test("a replacement has the groups of the pattern", () => {
    const own = patternRule("(\\w+)=(\\w+)", "\\2=\\1\\\\\\3");
    expect(new TextDecoder().decode(own.apply(encoder.encode("a=b"), numbers(0), limit))).toBe("b=a\\");
  });

  test("an invalid pattern is refused", () => {
    const error = (() => {
      try {
        return patternRule("(?=x)", "");
      } catch (caught) {
        return caught;
      }
    })();
    expect(isFailure(error, "pattern-error")).toBe(true);
  });
});

describe("for any sample", () => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => encoder.encode(text)),
    fc
      .array(
        fc.constantFrom(
          "<",
          ">",
          "</a>",
          '<b x="1" y = 2 z>',
          "\n",
          " ",
          "word ",
          "12 ",
          "((",
          "=",
          "'",
          '"',
          "é",
          "𝒳",
          "\r\n",
        ),
      )
      .map((parts) => encoder.encode(parts.join(""))),
  );

  test("a rule is deterministic for the same random numbers and does not modify the sample", () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules), anyBytes, fc.nat(), (one, bytes, seed) => {
        const before = bytes.slice();
        const first = one.apply(bytes, seededRandom(seed), few);
        expect([same(one.apply(bytes, seededRandom(seed), few), first), same(bytes, before)]).toEqual([true, true]);
      }),
      { numRuns: 700 },
    );
  });

  test("a mutation differs from the sample and respects the limit", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        anyBytes,
        fc.nat(),
        fc.integer({ min: 0, max: 5000 }),
        (one, bytes, seed, most) => {
          const mutation = mutate(one, bytes, seededRandom(seed), most);
          if (mutation === null) return;
          expect(mutation.bytes.length).toBeLessThanOrEqual(most);
          expect(same(mutation.bytes, bytes)).toBe(false);
          expect(mutation.times >= 1 && mutation.times <= 10).toBe(true);
        },
      ),
      { numRuns: 700 },
    );
  });

  test("text rules keep valid UTF-8 and change only a few lines", () => {
    const text = fc
      .string({ unit: "binary", maxLength: 200 })
      .filter((one) => decodedUtf8(encoder.encode(one)) === one);
    const textRules = rules.filter((one) => one.family !== "binary");
    fc.assert(
      fc.property(fc.constantFrom(...textRules), text, fc.nat(), (one, sample, seed) => {
        const changed = decodedUtf8(one.apply(encoder.encode(sample), seededRandom(seed), few));
        expect(changed).toBeDefined();
        expect(changed).not.toMatch(/\uFFFD/.test(sample) ? /^\b$/ : /\uFFFD/);
      }),
      { numRuns: 700 },
    );
  });

  test("text rules preserve bytes that are not UTF-8", () => {
    const bytes = Uint8Array.from([...Array.from({ length: 256 }, (_, at) => at), 10, 255]);
    expect(rule("duplicate-line").apply(bytes, numbers(almostOne), limit)).toEqual(
      Uint8Array.from([...bytes, 10, 255]),
    );
  });

  test("rules that repeat data stop soon after the limit", () => {
    const sample = encoder.encode(`${"word ".repeat(2000)}\n${" ".repeat(10_000)}`);
    for (const one of rules) expect(one.apply(sample, seededRandom(3), 20_000).length).toBeLessThan(150_000);
  });
});

describe("tags", () => {
  test("are found with their attributes in malformed markup", () => {
    const text = "<!-- no --><a  x = \"1>2\" y><b/><c z='<' ></d >< e>";
    const shown = tagsOf(text).map((tag) => [
      text.slice(tag.start, tag.end),
      attributesOf(text, tag).map(({ name }) => text.slice(name.start, name.end)),
    ]);
    expect(shown).toEqual([
      ['<a  x = "1>', ["x"]],
      ["<b/>", []],
      ["</d >", []],
    ]);
  });

  test("are found in linear time", () => {
    const text = `<a${" ".repeat(200_000)}${"<a ".repeat(50_000)}${'x="'.repeat(50_000)}`;
    expect(tagsOf(text)).toEqual([]);
    expect(tagsOf(`${text}>`).length).toBe(1);
    expect(attributesOf(`${text}>`, tagsOf(`${text}>`)[0]!).length).toBeGreaterThan(0);
  });
});

describe("kinds of samples", () => {
  const text = encoder.encode("plain text\n");
  test.each<[name: string, bytes: Uint8Array, kind: string]>([
    ["a.txt", text, "text"],
    ["a.bin", text, "text"],
    ["a", new Uint8Array(), "text"],
    ["a.SVG", text, "xml"],
    ["a", encoder.encode('\n<?xml version="1.0"?><a/>'), "xml"],
    ["a.txt", Uint8Array.from([65, 0, 66]), "binary"],
    ["a.xml", Uint8Array.from([0xff, 0xfe, 60]), "binary"],
    ["long.txt", encoder.encode("é".repeat(40_000)), "text"],
    ["odd.txt", encoder.encode(`x${"é".repeat(40_000)}`), "text"],
  ])("%s", (name, bytes, kind) => {
    expect(kindOfSample(name, bytes)).toBe(kind);
  });

  test("select rules: 17 for text plus the user's, five more for XML, seven for binary", () => {
    const count = (kind: "text" | "xml" | "binary"): number => rules.filter((one) => suits(one, kind)).length;
    expect([count("text"), count("xml"), count("binary")]).toEqual([18, 23, 8]);
  });
});
