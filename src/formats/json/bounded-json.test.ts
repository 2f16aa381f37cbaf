import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedJson } from "./bounded-json.ts";

const bytes = (document: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(document));
const bounds = { items: 3, characters: 1000, last: ["points"] };
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

test("keeps what fits, and every digit of it", () => {
  const document = new TextEncoder().encode('{"a": [1.25, 12345678901234567890, 3.0], "b": {"c": []}}');
  expect(boundedJson(document, bounds)).toBe('{"a": [1.25, 12345678901234567890, 3.0], "b": {"c": []}}');
});

test("cuts lists and counts what it left out: the beginning of those whose end matters", () => {
  const rows = [1, 2, 3, 4, 5];
  expect(parsed(boundedJson(bytes({ rows, series: [{ points: rows }], few: [1] }), bounds))).toEqual({
    rows: [1, 2, 3],
    rowsOmitted: 2,
    series: [{ points: [3, 4, 5], pointsOmitted: 2 }],
    few: [1],
  });
});

test("keeps fewer values when three of them are too long, and gives up when one is", () => {
  const long = (length: number): object => ({ rows: Array.from({ length: 5 }, () => "x".repeat(length)) });
  expect(parsed(boundedJson(bytes(long(500)), bounds))).toMatchObject({ rowsOmitted: 4 });
  expect(boundedJson(bytes(long(1500)), bounds)).toBeNull();
});

test("is null for what is no object", () => {
  for (const text of ["", "[1]", "{", "1", '{"a": 1} 2'])
    expect(boundedJson(new TextEncoder().encode(text), bounds)).toBeNull();
});

test("is never longer than allowed, and counts all that it leaves out", () => {
  const sized = fc.array(fc.oneof(fc.string({ maxLength: 300 }), fc.double({ noNaN: true })), { maxLength: 60 });
  fc.assert(
    fc.property(sized, fc.integer({ min: 1, max: 40 }), (rows, items) => {
      const found = boundedJson(bytes({ rows }), { items, characters: 2000, last: [] });
      if (found === null) return;
      expect(found.length).toBeLessThanOrEqual(2000);
      const { rows: kept, rowsOmitted = 0 } = JSON.parse(found) as { rows: unknown[]; rowsOmitted?: number };
      expect(kept.length).toBeLessThanOrEqual(items);
      expect(kept.length + rowsOmitted).toBe(rows.length);
      expect(JSON.stringify(kept)).toBe(JSON.stringify(rows.slice(0, kept.length)));
    }),
  );
});
