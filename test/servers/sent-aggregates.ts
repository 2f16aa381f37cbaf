import { expect } from "vitest";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import type { Statement } from "../../src/store/sql/query-statement.ts";

/** That parts do sum up what they are said to: whatever is asked of them is an aggregate on their side. */
export async function expectSent(engine: Engine, { sql, params, shards: parts }: Statement): Promise<void> {
  if (parts === undefined || parts.passes === 0) return;
  const told = rowsOf(await engine.query(`explain (verbose, costs off) ${sql}`, params))
    .map(([line]) => (typeof line === "string" ? line : ""))
    .join("\n");
  const scans = told.match(/Foreign Scan/g)?.length ?? 0;
  expect(told.match(/Foreign Scan on .*/g), sql).toBeNull();
  // Runs that are not meant are counted beside.
  const counts = told.match(/CTE (?:slice_)?counted$/gm)?.length ?? 0;
  expect(scans, sql).toBeLessThanOrEqual(parts.count * (parts.passes + counts));
}
