import fc from "fast-check";
import { parseUnit } from "../../src/core/values/unit.ts";
import type {
  ValueMap,
  Cut,
  DerivedLocation,
  Effects,
  ExplicitLocation,
  FilenameLocation,
  InputDescription,
  InputLocation,
  NamedLocation,
  Position,
  Separation,
  SplitLocation,
  TableLocation,
  TableValue,
  TextMark,
} from "../../src/formats/descriptions/input/input-description.ts";
import { expression } from "./expression-arbitrary.ts";

/*
 * Everything that an input description can express in either syntax. Texts contain what XML can contain; locations are
 * not compared.
 */

const name = fc.oneof(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,5}$/), fc.constantFrom("\u00e4", "e", "END"));
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..." \t\"'\\<>&={},#$%[]x1"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 6,
});
const xmlText = anyText.filter((text) => !/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(text));
const keyword = xmlText.filter((text) => text !== "" && !/[\r\n]/.test(text));
const headText = fc
  .array(xmlText, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("\n"))
  .filter((text) => text.trim() !== "");
const source = fc.constantFrom("a+", '^"x\\d"', "\\\\", "(a|b) c", "[<>&]", "x{1,2}");
const count = fc.integer({ min: 1, max: 99 });
const origin = fc.constant({ line: 0, column: 0 });
const mark: fc.Arbitrary<TextMark> = fc.oneof(
  fc.record({ kind: fc.constant("keyword" as const), text: keyword }),
  fc.record({ kind: fc.constant("pattern" as const), source }),
);
const map: fc.Arbitrary<ValueMap> = fc.record({ from: mark, to: xmlText });
const maps = fc.array(map, { minLength: 1, maxLength: 2 });
const length = fc.nat({ max: 999_999 });
const unit = fc.oneof(fc.constant("text" as const), fc.constantFrom("Byte", "MiByte/s", "1/s", "").map(parseUnit));
const scale = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const filters = fc.array(fc.record({ source, ignoreCase: fc.boolean() }), { minLength: 1, maxLength: 2 });
const blanks = fc.stringMatching(/^[=:;,|"\\<&]{1,3}$/);
const update = fc.constantFrom("yes" as const, "auto" as const);
const retrigger = fc.boolean();
const storesRow = fc.constant(true as const);
const escapes = fc.constant(true as const);
const notation = {
  decimal: fc.constantFrom(".", ","),
  thousands: fc.constantFrom("'", "_", " ", "\u00a0"),
  prefixes: fc.constantFrom("decimal", "binary"),
  format: fc.constantFrom("%d/%m/%Y", "%a <%F %T>", '%H:%M" %%'),
  zone: fc.constantFrom("CET", "+05:30", "UTC-3"),
} as const;
const values = { length, unit, scale, escapes, filters, maps, ...notation };
const texts = { blanks, filters, maps };
const cut: fc.Arbitrary<Cut> = fc.record({ ...values, blanks }, { requiredKeys: [] });
const columnCut: fc.Arbitrary<Omit<Cut, "blanks">> = fc.record(values, { requiredKeys: [] });
const markEffects: fc.Arbitrary<Effects> = fc.record(
  { storesRow, update, sticky: fc.constant(false as const), retrigger },
  { requiredKeys: [] },
);
const effects: fc.Arbitrary<Effects> = fc
  .tuple(markEffects, fc.boolean())
  .map(([more, startsRun]) => (startsRun ? { ...more, startsRun } : more));

const match = fc.record({ text: keyword, terminator: keyword }, { requiredKeys: ["text"] });
const marks = fc.array(fc.record({ mark, skip: fc.nat({ max: 9 }) }), { minLength: 1, maxLength: 2 });
const ends = fc.array(fc.record({ mark, skip: fc.constant(0) }), { minLength: 1, maxLength: 2 });
const triggers = fc.array(fc.record({ mark, skip: fc.integer({ min: -9, max: 9 }) }), { minLength: 1, maxLength: 2 });
const sought = fc.record(
  {
    aliases: fc.array(keyword, { maxLength: 2 }),
    patterns: fc.array(source, { maxLength: 2 }),
    matches: fc.array(match, { minLength: 1, maxLength: 2 }),
    triggers,
  },
  { requiredKeys: ["aliases", "patterns"] },
);
const noMarks = fc.record({ aliases: fc.constant([]), patterns: fc.constant([]) });
const leads = fc.constant(true as const);
const blockCut = fc.record(texts, { requiredKeys: [] });

/** Without what excludes each other: numbers, counts, whole lines, blocks. */
const namedContent: fc.Arbitrary<Omit<NamedLocation, "kind" | "name" | "origin">> = fc.oneof(
  fc
    .tuple(sought, cut, fc.record({ leads, mode: fc.constant("accumulate" as const) }, { requiredKeys: [] }))
    .map(merged),
  fc
    .tuple(sought, fc.record({ mode: fc.constantFrom("count" as const, "boolean" as const, "abort" as const) }))
    .map(merged),
  fc.tuple(sought, blockCut, fc.record({ lines: fc.nat({ max: 9 }) })).map(merged),
  fc.tuple(noMarks, blockCut, fc.record({ block: fc.record({ begin: marks, end: ends }) })).map(merged),
);

function merged<A extends object, B extends object, C extends object = object>([a, b, c]: readonly [A, B, C?]): A &
  B &
  C {
  return { ...a, ...b, ...(c as C) };
}

function namedWith(more: fc.Arbitrary<Effects>): fc.Arbitrary<NamedLocation> {
  return fc.tuple(fc.record({ kind: fc.constant("named" as const), name, origin }), namedContent, more).map(merged);
}

const named = namedWith(effects);
const absolute: fc.Arbitrary<{ position: Position; repetition: number }> = fc.oneof(
  fc.record({
    position: fc.record({ kind: fc.constant("number" as const), number: count }),
    repetition: fc.constant(1),
  }),
  fc.record({ position: fc.record({ kind: fc.constant("keyword" as const), text: keyword }), repetition: count }),
);
const relative: fc.Arbitrary<{ position: Position; repetition: number }> = fc.record({
  position: fc.record({ kind: fc.constant("relative" as const), offset: fc.integer({ min: -9, max: 9 }) }),
  repetition: fc.constant(1),
});
const rowNumber = fc.record({ kind: fc.constant("number" as const), number: count });
const explicit: fc.Arbitrary<ExplicitLocation> = fc
  .tuple(
    fc.record({
      kind: fc.constant("explicit" as const),
      name,
      row: fc.oneof(mark, rowNumber),
      typed: fc.boolean(),
      origin,
    }),
    absolute,
    fc.tuple(cut, effects).map(merged),
  )
  .map(merged);

const tableValue: fc.Arbitrary<TableValue> = fc
  .tuple(
    fc.record({ name, origin, typed: fc.boolean(), update }, { requiredKeys: ["name", "origin", "typed"] }),
    fc.oneof(absolute, relative),
    columnCut,
  )
  .map(merged);
const table: fc.Arbitrary<TableLocation> = fc
  .tuple(
    fc.oneof(
      fc.record({ rows: fc.constant([]), start: fc.nat({ max: 1 }) }),
      fc.record({
        rows: fc.oneof(
          fc.array(rowNumber, { minLength: 1, maxLength: 1 }),
          fc.array(mark, { minLength: 1, maxLength: 2 }),
        ),
        start: fc.nat({ max: 9 }),
      }),
    ),
    fc.record(
      {
        kind: fc.constant("table" as const),
        columns: count,
        most: count,
        blanks,
        separator: keyword,
        startsRun: fc.constant(true as const),
        skipsBlank: fc.constant(true as const),
        skipPatterns: fc.array(source, { minLength: 1, maxLength: 2 }),
        skipsHeads: fc.constant(true as const),
        values: fc.array(tableValue, { minLength: 1, maxLength: 3 }),
        origin,
      },
      { requiredKeys: ["kind", "values", "origin"] },
    ),
  )
  .map(merged);

const filename: fc.Arbitrary<FilenameLocation> = fc
  .tuple(
    fc.record(
      {
        kind: fc.constant("filename" as const),
        name,
        matches: fc.array(
          fc.record(
            { text: keyword, terminator: keyword, fuzzy: fc.constant(true as const) },
            { requiredKeys: ["text"] },
          ),
          {
            maxLength: 2,
          },
        ),
        patterns: fc.array(source, { maxLength: 2 }),
        keys: fc.array(keyword, { minLength: 1, maxLength: 2 }),
        folder: fc.nat(9),
        mode: fc.constant("boolean" as const),
        origin,
      },
      { requiredKeys: ["kind", "name", "matches", "patterns", "origin"] },
    ),
    cut,
  )
  .map(merged);

const derived: fc.Arbitrary<DerivedLocation> = fc.record(
  {
    kind: fc.constant("derived" as const),
    name,
    from: fc.oneof(fc.record({ term: expression }), fc.record({ parameter: name, maps })),
    storesRow,
    update,
    retrigger: fc.oneof(fc.boolean(), fc.constant("sticky" as const)),
    origin,
  },
  { requiredKeys: ["kind", "name", "from", "origin"] },
);

const fixed = fc.record({ kind: fc.constant("fixed" as const), name, value: xmlText, origin });
const inner: fc.Arbitrary<InputLocation[]> = fc.array(fc.oneof(named, explicit, table), { minLength: 1, maxLength: 2 });
const store = fc.constantFrom(
  "current" as const,
  "enter" as const,
  "leave" as const,
  "max" as const,
  "min" as const,
  "diff" as const,
  "sum" as const,
);
const split: fc.Arbitrary<SplitLocation> = fc.record(
  {
    kind: fc.constant("split" as const),
    name,
    enter: inner,
    leave: inner,
    stores: fc.array(fc.record({ name, store }), { minLength: 1, maxLength: 2 }),
    update,
    origin,
  },
  { requiredKeys: ["kind", "name", "enter", "leave", "stores", "origin"] },
);
const separation: fc.Arbitrary<Separation> = fc.record(
  {
    kind: fc.constant("separation" as const),
    mark: fc.oneof(mark, namedWith(markEffects)),
    run: fc.boolean(),
    skip: count,
    origin,
  },
  { requiredKeys: ["kind", "mark", "run", "origin"] },
);

const location: fc.Arbitrary<InputLocation> = fc.oneof(
  named,
  explicit,
  table,
  fixed,
  filename,
  derived,
  split,
  separation,
);
const plain = keyword.map((text) => text.trim()).filter((text) => text !== "");

export const inputDescription: fc.Arbitrary<InputDescription> = fc.record(
  {
    file: fc.constant("i"),
    rules: fc.constantFrom("sets" as const, "stream" as const),
    id: plain,
    experiment: name,
    synopsis: headText,
    description: headText,
    database: fc
      .record(
        { host: plain, port: fc.integer({ min: 1, max: 65_535 }), user: plain, name: plain },
        { requiredKeys: [] },
      )
      .filter((database) => Object.keys(database).length > 0),
    locations: fc.array(location, { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: ["file", "rules", "locations"] },
);
