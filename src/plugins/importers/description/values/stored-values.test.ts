import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baseUnits, parseUnit, prefixes } from "../../../../core/values/index.ts";
import { fieldsOf, instants, timeSpellings } from "../../../../../test/cases/time-spellings.ts";
import { failure, readWith, rowsWith } from "../../../../../test/importers/read-description.ts";

/* What descriptions of all kinds store, under each set of rules: the right value, or none and a notice. */

const rules = ["", "RULES sets\n", "RULES stream\n"];
const stored = (rule: string): string => (rule.includes("stream") ? " store=yes" : "");

describe.each(rules)("%j", (rule) => {
  const units = baseUnits.filter(({ dimension }) => Object.keys(dimension).length > 0);

  /** Every word for a unit: its names, and their prefixes. */
  function wordsFor({ name, spellings, display }: (typeof units)[number]): { word: string; factor: number }[] {
    const scales = display === "none" ? [] : prefixes;
    return [name, ...spellings].flatMap((spelling) =>
      [{ name: "", times: 1, over: 1 }, ...scales].flatMap((prefix) => {
        const word = `${prefix.name}${spelling}`;
        const [factor] = parseUnit(word).factors;
        // A capital K is a kelvin, and the shortest words are read as units without a prefix.
        return factor?.base === name && factor.prefix === prefix.name
          ? [{ word, factor: prefix.times / prefix.over }]
          : [];
      }),
    );
  }

  test.each(units.map((unit) => [unit.name, unit] as const))("%s with every prefix and spacing", async (name, unit) => {
    const words = wordsFor(unit);
    const cases = words.flatMap((each) => ["", " ", " \t"].map((space) => ({ ...each, space })));
    const experiment = `*experiment e\n*parameter n int - 0\n*result x float ${name}\n`;
    const expected = (list: readonly { factor: number }[]): number[] => list.map(({ factor }) => 3 * factor);
    const check = async (input: string, lines: readonly string[], values: readonly number[]): Promise<void> => {
      const rows = await rowsWith(experiment, rule + input, `${lines.join("\n")}\n`);
      expect(rows).toHaveLength(values.length);
      rows.forEach((row, at) => expect(Number(row.at(-1)) / (values[at] ?? 0)).toBeCloseTo(1, 12));
    };
    const texts = cases.map(({ word, space }) => `3${space}${word}`);
    const separated = rule.includes("stream") ? "" : 'SEP string="row:"\n';
    await check(
      `${separated}NAMED x alias="took"${stored(rule)}`,
      texts.map((text) => `row: took ${text}`),
      expected(cases),
    );
    await check(
      `${separated}EXPL x row="row:" pos=2${stored(rule)}`,
      words.map(({ word }) => `row: 3 ${word}`),
      expected(words),
    );
    await check(
      'TABLE n row=#n separator=";" pos=1\nTABLE x row=#n separator=";" pos=2',
      ["#n;x", ...texts.map((text, at) => `${at};${text}`)],
      expected(cases),
    );
    await check(
      "TABLE n row=#n pos=1\nTABLE x row=#n pos=2",
      ["#n x", ...words.map(({ word }, at) => `${at} 3 ${word}`)],
      expected(words),
    );
    await check(
      'TABLE n regexp="^#n" pos=1\nTABLE x regexp="^#n" pos=x',
      words.flatMap(({ word }, at) => [`#n x[${word}]`, `${at} 3`, ""]),
      expected(words),
    );
  });

  test("a time is stored right, or refused with its line", async () => {
    const experiment = "*experiment e\n*parameter n int - 0\n*parameter at timestamp - NULL\n*result x float\n";
    const x = `NAMED x alias=x${stored(rule)}\n`;
    const ways: readonly (readonly [input: string, line: (time: string) => string])[] = [
      [`NAMED at alias="started"\n${x}`, (time) => `job started: ${time}`],
      [`NAMED at regexp="started <(.*)>"\n${x}`, (time) => `job started <${time}>, done`],
      [`EXPL at row="job" pos="started"\n${x}`, (time) => `job started ${time}`],
      ['TABLE n row=#n separator=";" pos=1\nTABLE at row=#n separator=";" pos=2\n', (time) => `#n;at\n1;${time}`],
      ["TABLE n row=#n pos=1\nTABLE at row=#n pos=2\n", (time) => `#n at\n1 ${time}`],
    ];
    const damages = fc.record({ where: fc.nat(30), by: fc.constantFrom("", "9", "x", " ", "/", " XST") });
    const inputs = fc.record({
      at: instants,
      spelling: fc.constantFrom(...timeSpellings),
      way: fc.constantFrom(...ways),
      damage: fc.option(damages, { freq: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ at, spelling, way: [input, line], damage }) => {
        const whole = spelling.print(fieldsOf(at));
        const time = damage ? whole.slice(0, damage.where) + damage.by + whole.slice(damage.where + 1) : whole;
        const milliseconds = spelling.exact ? at : Math.floor(at / 1000) * 1000;
        const expected = (milliseconds - (spelling.zone ?? 0) * 60_000) * 1000;
        const text = `${line(time)}\nx = 1\n`;
        const refused = await failure(rule + input, text, undefined, experiment);
        if (refused !== "no failure") {
          expect(refused).toMatch(/line \d|in [23] lines/);
          return;
        }
        const { names, runs, notices } = await readWith(experiment, rule + input, text);
        const values = runs.flatMap(({ rows }) => rows.map((row) => row[names.indexOf("at")] ?? null));
        if (values.length === 0 || values.includes(null)) expect(notices.join()).toMatch(/^[12]: /);
        else if (!damage) expect(values).toEqual([expected]);
      }),
      { numRuns: 200 },
    );
  });
});

describe.each(rules)("a unit in whole words or before a sign is converted, %j", (rule) =>
  test.each(["5 milliseconds", "[5 ms]", "(5 ms)", "5 ms, then", "5 ms."])("%s", async (text) => {
    const experiment = "*experiment e\n*parameter n int - NULL\n*result T float us\n";
    const rows = await rowsWith(experiment, `${rule}NAMED T match=took:${stored(rule)}\n`, `took: ${text}\n`);
    expect(rows.flat().filter((value) => value !== null)).toEqual([5000]);
  }),
);

test.each(rules)("a rate in words is one unit, and none of the quantity alone, %j", async (rule) => {
  const input = `${rule}NAMED x match=took:${stored(rule)}\n`;
  const experiment = (unit: string): string => `*experiment e\n*parameter n int - NULL\n*result x float ${unit}\n`;
  const rows = await rowsWith(experiment("KByte/s"), input, "took: 5 MB per second, in all\n");
  expect(rows.flat()).toContain(5000);
  expect(await failure(input, "took: 5 MB per second\n", undefined, experiment("KByte"))).not.toBe("no failure");
  expect((await rowsWith(experiment("us"), input, "took: 5 ms per op\n")).flat()).toContain(5000);
});
