const outside = /^[^-+.0-9eE]+/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;

/** Where numbers are looked for: what is longer holds none in its beginning. */
const longestText = 4096;

/**
 * The number in a text, as digits: what stands before it and behind it is passed over, a lone comma is a decimal point.
 * undefined when there is none.
 */
export function extractNumber(text: string): string | undefined {
  const pointed = withPoint(text.slice(0, longestText));
  for (let rest = pointed.replace(outside, ""); rest !== ""; rest = rest.slice(1).replace(outside, "")) {
    const digits = number.exec(rest)?.[0];
    if (digits !== undefined) return digits.endsWith(".") ? digits.slice(0, -1) : digits;
  }
  return undefined;
}

function withPoint(text: string): string {
  const at = text.indexOf(",");
  return at >= 0 && !text.includes(".") && !text.includes(",", at + 1)
    ? `${text.slice(0, at)}.${text.slice(at + 1)}`
    : text;
}
