import { Failure, valueOrFailure } from "../../src/core/failures/failure.ts";

/** The message of the failure of `action`; empty if it does not fail. */
export function failureText(action: () => unknown): string {
  const result = valueOrFailure(action);
  return result instanceof Failure ? result.message : "";
}

/** The same, after its code. */
export function failureLine(action: () => unknown): string {
  const result = valueOrFailure(action);
  return result instanceof Failure ? `${result.code}: ${result.message}` : "";
}
