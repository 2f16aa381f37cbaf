/**
 * `3@i`: the third registered profile; `0@p-2@p`: the first three pending ones. Numbers count in the order of `status`.
 */
export interface ProfileTag {
  readonly where: "index" | "pending";
  readonly first: number;
  readonly last: number;
  readonly range: boolean;
}

const pattern = /^(\d{1,9})@([ip])(?:-(\d{1,9})@([ip]))?$/;

/** The tag that `word` is as a whole, or null when it is none; both ends of a range count in the same list. */
export function parseProfileTag(word: string): ProfileTag | null {
  const match = pattern.exec(word);
  if (!match || (match[4] !== undefined && match[4] !== match[2])) return null;
  const first = Number(match[1]);
  return {
    where: match[2] === "i" ? "index" : "pending",
    first,
    last: match[3] === undefined ? first : Number(match[3]),
    range: match[3] !== undefined,
  };
}

/**
 * `REV^TAG` and `REV^name`: a profile of another version. The last `^` before a tag or a name divides, so `HEAD^^0@i`
 * works.
 */
export function splitVersionPrefix(word: string): { readonly revision: string | undefined; readonly rest: string } {
  const at = word.lastIndexOf("^");
  if (at <= 0 || at === word.length - 1) return { revision: undefined, rest: word };
  return { revision: word.slice(0, at), rest: word.slice(at + 1) };
}
