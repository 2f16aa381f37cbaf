import { expect } from "vitest";

const number = /[-+]?\b\d+(?:\.\d+)?(?:e[-+]?\d+)?\b/gi;

/** The same words and lines; numbers within 1e-9 of their size. */
export function expectSameText(actual: string, expected: string): void {
  expect(withNumbersOf(expected, actual)).toBe(expected);
}

/** `text` with the numbers of `other` where its own at the same place are near enough. */
function withNumbersOf(other: string, text: string): string {
  const wanted = [...other.matchAll(number)].map(([word]) => word);
  let at = 0;
  return text.replaceAll(number, (word) => {
    const near = wanted[at++] ?? word;
    const [a, b] = [Number(word), Number(near)];
    return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)) ? near : word;
  });
}
