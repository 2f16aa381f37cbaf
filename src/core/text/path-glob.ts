/**
 * A pattern of paths, as in git's ignore files: `*` and `?` within a name, `**` for any folders. A pattern without `/`
 * matches a name at any depth, another one the path from its beginning; a trailing `/` is ignored.
 */
export class PathGlob {
  readonly #segments: readonly string[];

  constructor(pattern: string) {
    const body = pattern.endsWith("/") ? pattern.slice(0, -1) : pattern;
    const segments = body.split("/").filter((segment) => segment !== "");
    this.#segments = body.includes("/") ? segments : ["**", ...segments];
  }

  /** `path`: names separated by `/`. */
  matches(path: string): boolean {
    return matchesGlob(this.#segments, path.split("/"), (part) => part === "**", nameMatches);
  }
}

function nameMatches(pattern: string, name: string): boolean {
  return matchesGlob(
    [...pattern],
    [...name],
    (letter) => letter === "*",
    (letter, other) => letter === "?" || letter === other,
  );
}

/**
 * Glob matching that backtracks to the last star only, so the time is at most the product of the lengths.
 */
function matchesGlob(
  pattern: readonly string[],
  text: readonly string[],
  isStar: (part: string) => boolean,
  same: (part: string, other: string) => boolean,
): boolean {
  let [at, star, mark] = [0, -1, 0];
  for (let position = 0; position < text.length;) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) [star, mark, at] = [at, position, at + 1];
    else if (part !== undefined && same(part, text[position] ?? "")) [at, position] = [at + 1, position + 1];
    else if (star >= 0) [at, mark, position] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return pattern.slice(at).every(isStar);
}
