import { expect } from "vitest";
import { rowsOf, type Table } from "../../src/core/tables/table.ts";

/**
 * Equality with a tolerance for a standard deviation of 4 around 1e9, where sums of squares would cancel completely.
 */
export function expectNear(found: Table, expected: Table): void {
  const [a, b] = [rowsOf(found), rowsOf(expected)];
  expect(a.length).toBe(b.length);
  a.forEach((row, at) =>
    row.forEach((cell, column) => {
      const other = b[at]?.[column];
      if (typeof cell === "number" && typeof other === "number")
        expect(Math.abs(cell - other)).toBeLessThanOrEqual(1e-8 * Math.abs(other));
      else expect(cell).toEqual(other);
    }),
  );
}
