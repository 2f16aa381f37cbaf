import fc from "fast-check";
import { expect, test } from "vitest";
import { AbsentKeywords, Literal } from "./keyword-search.ts";

const spellings = ["a.b", "(c|d", "ab", "[e]", "f*", "g-h"];

test("finds in each block what a search of each keyword finds", () => {
  const part = fc.constantFrom(...spellings, "a", "b", " ", "x", "\n");
  const blocks = fc.array(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(blocks, fc.boolean(), (texts, whole) => {
      const literals = spellings.map((spelling) => new Literal(spelling, whole));
      const keywords = new AbsentKeywords(literals);
      for (const text of texts) {
        keywords.begin(text);
        for (const [at, literal] of literals.entries())
          for (let from = 0; from <= text.length; from++) {
            const expected = new Literal(spellings[at]!, whole).next(text, from);
            expect(literal.next(text, from), `${spellings[at]} in ${JSON.stringify(texts)}`).toBe(expected);
          }
      }
    }),
  );
});
