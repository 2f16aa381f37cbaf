import fc from "fast-check";
import { expect } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";

/**
 * What every description language does with any text, also one made of its own words: it understands it or fails with
 * `description-error`.
 */
export function understandsOrRefuses(parse: (source: string) => unknown, words: readonly string[]): void {
  const ownWords = fc.array(fc.constantFrom(...words)).map((list) => list.join(""));
  fc.assert(
    fc.property(fc.oneof(ownWords, fc.string({ unit: "binary" })), (source) => {
      try {
        parse(source);
      } catch (error) {
        expect(isFailure(error, "description-error")).toBe(true);
      }
    }),
  );
}

/** Fails with `description-error`, in these words: the place, what is wrong, and what is nearest to it. */
export function refusesWith(message: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!isFailure(error, "description-error")) throw error;
    expect(error.message).toContain(message);
    return;
  }
  expect.unreachable(`no refusal: ${message}`);
}
