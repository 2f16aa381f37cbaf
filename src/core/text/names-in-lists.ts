/** The words that all names of a list have, and the names without them. */
export interface SharedWords {
  /** In the order of the first name; empty: none. */
  readonly shared: string;
  /** The part of a name that other names of the list lack. */
  ownPart(name: string): string;
}

/**
 * The words, separated by spaces, that begin all names, end all names, or are `key=value` in all of them. Every name
 * keeps at least one word, and names that differ stay different.
 */
export function sharedWords(names: readonly string[]): SharedWords {
  const all = [...new Set(names)].map((name) => name.split(" "));
  const [first = []] = all;
  if (all.length < 2) return { shared: "", ownPart: (name) => name };
  const most = Math.min(...all.map(({ length }) => length)) - 1;
  const count = (at: (words: readonly string[], i: number) => string | undefined, limit: number): number => {
    let same = 0;
    while (same < limit && all.every((words) => at(words, same) === at(first, same))) same += 1;
    return same;
  };
  const leading = count((words, i) => words[i], most);
  const trailing = count((words, i) => words.at(-1 - i), most - leading);
  const middle = (words: readonly string[]): readonly string[] => words.slice(leading, words.length - trailing);
  const settings = settingsOfAll(all.map(middle));
  const ownPart = (name: string): string =>
    middle(name.split(" "))
      .filter((word) => !settings.has(word))
      .join(" ");
  const words = [...first.slice(0, leading), ...settings, ...first.slice(first.length - trailing)];
  return { shared: words.join(" "), ownPart };
}

/** Words `key=value` that each list has once; none if a list has nothing else, or if two lists differ by them alone. */
function settingsOfAll(all: readonly (readonly string[])[]): ReadonlySet<string> {
  const [first = []] = all;
  const candidates = first.filter(
    (word) => /^[^=]+=/.test(word) && all.every((words) => words.filter((each) => each === word).length === 1),
  );
  const shared = new Set(candidates);
  const rest = all.map((words) => words.filter((word) => !shared.has(word)).join(" "));
  return rest.includes("") || new Set(rest).size < rest.length ? new Set() : shared;
}

/** Compares texts by code units, but digits by their numbers: `a2` before `a10`. */
export function compareNaturally(a: string, b: string): number {
  const at = firstDifference(a, b);
  const isNear = [a.charCodeAt(at), b.charCodeAt(at), a.charCodeAt(at - 1)].some(isDigit);
  // Most texts differ far from digits, and sorting compares many.
  return isNear ? compareRuns(a, b) : byCodeUnits(a.charAt(at), b.charAt(at));
}

function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function compareRuns(a: string, b: string): number {
  const partsOf = (text: string): readonly string[] => text.match(/\d+|\D+/g) ?? [];
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [one, other] = [left[at]!, right[at]!];
    if (one === other) continue;
    const order = compareParts(one, other);
    if (order !== 0) return order;
  }
  return left.length - right.length || byCodeUnits(a, b);
}

function compareParts(a: string, b: string): number {
  if (!/^\d/.test(a) || !/^\d/.test(b)) return byCodeUnits(a, b);
  const [one, other] = [a, b].map((digits) => digits.replace(/^0+(?=\d)/, "")) as [string, string];
  return one.length - other.length || byCodeUnits(one, other);
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
