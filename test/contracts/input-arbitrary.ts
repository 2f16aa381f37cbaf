import fc from "fast-check";
import { parseUnit } from "../../src/core/values/unit.ts";
import type {
  DerivedLocation,
  ExplicitLocation,
  FilenameLocation,
  InputDescription,
  InputLocation,
  NamedLocation,
  Separation,
  SplitLocation,
  TableLocation,
  TableValue,
} from "../../src/formats/descriptions/input/input-description.ts";
import type {
  ValueMap,
  Cut,
  Effects,
  Position,
  TextMark,
} from "../../src/formats/descriptions/input/location-parts.ts";
import type {
  MatrixLocation,
  MatrixValue,
  PatternLocation,
  TransposedLocation,
} from "../../src/formats/descriptions/input/row-locations.ts";
import type { RowLayout } from "../../src/formats/descriptions/input/location-parts.ts";
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

const missing = fc.array(
  keyword.map((text) => text.trim()).filter((text) => text !== ""),
  { minLength: 1, maxLength: 2 },
);
const isOptional = fc.constant(true as const);
const layout: fc.Arbitrary<RowLayout> = fc.oneof(
  fc.record({ blanks, separator: keyword }, { requiredKeys: [] }),
  fc.record({ gap: fc.integer({ min: 2, max: 9 }) }),
  fc.record({ grid: fc.constant(true as const) }),
);
const tableValue: fc.Arbitrary<TableValue> = fc
  .tuple(
    fc.oneof(
      fc.record({ name, origin, typed: fc.constant(true), update }, { requiredKeys: ["name", "origin", "typed"] }),
      fc.record(
        { name, origin, typed: fc.constant(false), update, optional: isOptional, missing },
        { requiredKeys: ["name", "origin", "typed"] },
      ),
    ),
    fc.oneof(absolute, relative),
    columnCut,
  )
  .map(merged);
const charactersValue: fc.Arbitrary<TableValue> = fc
  .tuple(
    fc.record(
      { name, origin, typed: fc.constant(false), repetition: fc.constant(1), optional: isOptional, missing },
      { requiredKeys: ["name", "origin", "typed", "repetition"] },
    ),
    fc.oneof(
      fc.record({ first: count }),
      fc.tuple(count, fc.nat({ max: 9 })).map(([first, more]) => ({ first, last: first + more })),
    ),
    columnCut,
  )
  .map(([value, range, more]) => ({ ...value, ...more, position: { kind: "characters" as const, ...range } }));
const someRows = fc.record({
  rows: fc.oneof(fc.array(rowNumber, { minLength: 1, maxLength: 1 }), fc.array(mark, { minLength: 1, maxLength: 2 })),
  start: fc.nat({ max: 9 }),
});
const anyRow = fc.record({ rows: fc.constant([]), start: fc.nat({ max: 1 }) });
const headed = fc
  .tuple(
    fc.array(mark, { minLength: 1, maxLength: 2 }),
    fc.integer({ min: -3, max: 3 }).filter((lines) => lines !== 0),
    fc.nat({ max: 3 }),
  )
  .map(([rows, header, skip]) => ({ rows, header, start: Math.max(header, 1) + skip }));
const tableKind = { kind: fc.constant("table" as const), origin };
const startsRun = fc.constant(true as const);
const yes = fc.constant(true as const);
const skipped = {
  skipsBlank: yes,
  skipPatterns: fc.array(source, { minLength: 1, maxLength: 2 }),
  skipsHeads: yes,
};
const entryTable: fc.Arbitrary<TableLocation> = fc
  .tuple(
    fc.oneof(anyRow, someRows, headed),
    fc.oneof(
      fc.tuple(layout, fc.array(tableValue, { minLength: 1, maxLength: 3 })).map(([how, all]) => ({
        ...how,
        values: how.gap === undefined && !how.grid ? all : all.map((value) => ({ ...value, typed: false })),
      })),
    ),
    fc.record(
      { ...tableKind, ...skipped, columns: count, most: count, startsRun },
      { requiredKeys: ["kind", "origin"] },
    ),
  )
  .map(merged);
const characterTable: fc.Arbitrary<TableLocation> = fc
  .tuple(
    fc.oneof(anyRow, someRows),
    fc.record({ values: fc.array(charactersValue, { minLength: 1, maxLength: 3 }) }),
    fc.record({ ...tableKind, ...skipped, most: count, startsRun }, { requiredKeys: ["kind", "origin"] }),
  )
  .map(merged);
const labelTable: fc.Arbitrary<TableLocation> = fc
  .tuple(
    fc.oneof(anyRow, someRows),
    fc.record({
      values: fc
        .record({ name, origin, repetition: fc.constant(1), label: fc.constant(true as const) })
        .map((value) => [{ ...value, typed: false, position: { kind: "number" as const, number: 1 } }]),
    }),
    fc.record({ ...tableKind, columns: count }),
  )
  .map(merged);
const table = fc.oneof(entryTable, characterTable, labelTable);

const groupNames = fc.constantFrom(["size"], ["size", "T_pp"], ["a", "b", "c"]);
const pattern: fc.Arbitrary<PatternLocation> = fc
  .tuple(groupNames, fc.array(cut, { minLength: 3, maxLength: 3 }), effects, fc.boolean())
  .map(([names, cuts, { update: _, ...more }, rows]) => ({
    kind: "pattern" as const,
    source: names.map((each) => `(?<${each}>\\S+)`).join(" of "),
    groups: names.map((each, at) => ({ ...cuts[at], name: each, origin: { line: 0, column: 0 } })),
    ...(rows ? { rows } : more),
    origin: { line: 0, column: 0 },
  }));
const transposed: fc.Arbitrary<TransposedLocation> = fc
  .tuple(
    layout,
    fc.record({
      kind: fc.constant("transposed" as const),
      values: fc.array(
        fc
          .tuple(
            fc.record({ name, row: mark, missing, origin }, { requiredKeys: ["name", "row", "origin"] }),
            columnCut,
          )
          .map(merged),
        { minLength: 1, maxLength: 3 },
      ),
      origin,
    }),
  )
  .map(merged);
const matrixValue: fc.Arbitrary<MatrixValue> = fc.tuple(fc.record({ name, origin }), columnCut).map(merged);
const matrix: fc.Arbitrary<MatrixLocation> = fc
  .tuple(
    layout,
    someRows.map(({ rows, start }) => ({ rows, start: start + 1 })),
    fc.record(
      {
        kind: fc.constant("matrix" as const),
        most: count,
        cell: matrixValue,
        across: matrixValue,
        down: matrixValue,
        optional: isOptional,
        missing,
        origin,
      },
      { requiredKeys: ["kind", "cell", "across", "down", "origin"] },
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
  pattern,
  transposed,
  matrix,
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
