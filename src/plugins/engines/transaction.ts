import { Failure } from "../../core/errors.ts";

/** All or nothing of `work`, whose failure is told whatever becomes of the rollback: the transaction may have ended by itself, or the connection. */
export async function inTransaction<T>(execute: (sql: string) => Promise<void>, work: () => Promise<T>): Promise<T> {
  await execute("begin");
  try {
    const answer = await work();
    await execute("commit");
    return answer;
  } catch (error) {
    await execute("rollback").catch(unlessFailure);
    throw error;
  }
}

function unlessFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
