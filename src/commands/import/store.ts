import type { ObjectBatch } from "../../store/objects/index.ts";
import type { ImportStep } from "./fit.ts";

/**
 * Step 4 of an import: makes the bytes of all inputs durable before the last step ends, and so before the transaction
 * that refers to them is committed. Fails with `cannot-write`.
 */
export async function* store(steps: AsyncIterable<ImportStep>, objects: ObjectBatch): AsyncGenerator<ImportStep> {
  yield* steps;
  await objects.commit();
}
