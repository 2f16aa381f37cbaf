const outside = /^[^-+.0-9eE]+/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;

/** Numbers are searched in this many leading characters. */
const longestText = 4096;

/**
 * The first number in a text, as digits; undefined when there is none. Surrounding text is ignored, and a lone comma
 * is a decimal point.
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
