import { expect } from "vitest";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import type { Statement } from "../../src/store/sql/statement.ts";

/** Checks that shards aggregate their rows: every remote query is an aggregate. */
export async function expectSent(engine: Engine, { sql, params, shards }: Statement): Promise<void> {
  if (shards === undefined || shards.passes === 0) return;
  const plan = rowsOf(await engine.query(`explain (verbose, costs off) ${sql}`, params))
    .map(([line]) => (typeof line === "string" ? line : ""))
    .join("\n");
  const scans = plan.match(/Foreign Scan/g)?.length ?? 0;
  expect(plan.match(/Foreign Scan on .*/g), sql).toBeNull();
  // Unselected runs are counted separately.
  const counts = plan.match(/CTE (?:slice_)?counted$/gm)?.length ?? 0;
  expect(scans, sql).toBeLessThanOrEqual(shards.count * (shards.passes + counts));
}
