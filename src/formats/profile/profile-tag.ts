/**
 * A reference to profiles by position in `status`, from 0: `3@i` is the fourth registered profile, `0@p-2@p` are the
 * first three pending ones.
 */
export interface ProfileTag {
  readonly where: "index" | "pending";
  readonly first: number;
  readonly last: number;
  readonly range: boolean;
}

const pattern = /^(\d{1,9})@([ip])(?:-(\d{1,9})@([ip]))?$/;

/** Parses a tag; null if `word` is not one. Both ends of a range must refer to the same list. */
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
 * Splits `REV^TAG` and `REV^name`, a profile of another commit, at the last `^`; so `HEAD^^0@i` works.
 */
export function splitVersionPrefix(word: string): { readonly revision: string | undefined; readonly rest: string } {
  const at = word.lastIndexOf("^");
  if (at <= 0 || at === word.length - 1) return { revision: undefined, rest: word };
  return { revision: word.slice(0, at), rest: word.slice(at + 1) };
}
