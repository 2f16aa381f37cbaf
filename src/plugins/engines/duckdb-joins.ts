/**
 * Runs `work` without DuckDB's choice of the order of joins and of the side in memory. Its planner takes a table that
 * was created in the open transaction for empty, and then keeps all its rows in memory to join them with a few others.
 */
export async function withoutReordering<T>(
  execute: (sql: string) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  await execute("set disabled_optimizers = 'join_order,build_side_probe_side'");
  try {
    return await work();
  } finally {
    // Refused after a failed statement; the failure of `work` is the one to report.
    await execute("reset disabled_optimizers").catch(() => {});
  }
}
