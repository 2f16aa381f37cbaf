const ends = "\u0001";
const wordEnds = "\u0002";

/**
 * A text whose order by code point is the order of versions (core/value.ts), followed by the version itself: `1.10`
 * comes after `1.9`, `1.0rc1` before `1.0`, and `1.0a` after it. Columns of versions hold such keys, so that every
 * database sorts and compares them alike.
 */
export function versionKey(version: string): string {
  const components = version.match(/\d+|[A-Za-z]+/g) ?? [];
  const keys = components.map((component, place) =>
    componentKey(component, place > 0 && place === components.length - 1),
  );
  return `${keys.join("")}1${ends}${version}`;
}

/**
 * A word before the end, a last single letter behind it, a number behind both; numbers by their count of digits, then
 * by the digits.
 */
function componentKey(component: string, isLast: boolean): string {
  if (isLast && /^[A-Za-z]$/.test(component)) return `1${component}${wordEnds}`;
  if (!/^\d/.test(component)) return `0${component}${wordEnds}`;
  const digits = component.replace(/^0+(?=\d)/, "");
  return `2${String(digits.length).padStart(3, "0")}${digits}`;
}

export function versionOfKey(key: string): string {
  return key.slice(key.indexOf(ends) + 1);
}
