/** One line of `.tagitignore`. */
interface Rule {
  readonly segments: readonly string[];
  readonly isException: boolean;
  readonly onlyFolders: boolean;
}

/** What no version holds: how systems of versions and perfkeep itself keep their own. */
const never = new Set([".tagit", ".perun", ".git", ".hg"]);

/**
 * What is left out of versions. The lines are those of git's ignore files: `*` and `?` within a name, `**` for any
 * folders, `/` at the end for folders only, elsewhere for places below the root; `!` takes back what a line before left
 * out; `#` begins a comment.
 */
export class TagitIgnore {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(ruleOf);
  }

  /** `path` relative to the root. What lies below an ignored folder is never asked for. */
  covers(path: string, isFolder: boolean): boolean {
    const segments = path.split("/");
    if (never.has(segments.at(-1) ?? "")) return true;
    const last = this.#rules.findLast((rule) => (isFolder || !rule.onlyFolders) && pathFits(rule.segments, segments));
    return last !== undefined && !last.isException;
  }
}

function ruleOf(line: string): Rule[] {
  const text = line.trimEnd();
  if (text === "" || text.startsWith("#")) return [];
  const isException = text.startsWith("!");
  const body = isException ? text.slice(1) : text;
  const onlyFolders = body.endsWith("/");
  const place = onlyFolders ? body.slice(0, -1) : body;
  const segments = place.split("/").filter((segment) => segment !== "");
  if (segments.length === 0) return [];
  return [{ segments: place.includes("/") ? segments : ["**", ...segments], isException, onlyFolders }];
}

function pathFits(pattern: readonly string[], path: readonly string[]): boolean {
  return fits(pattern, path, (part) => part === "**", nameFits);
}

function nameFits(pattern: string, name: string): boolean {
  return fits(
    [...pattern],
    [...name],
    (letter) => letter === "*",
    (letter, other) => letter === "?" || letter === other,
  );
}

/**
 * A star takes as little as it can; only the last one is ever tried again, so the work is at most the product of the
 * lengths.
 */
function fits(
  pattern: readonly string[],
  text: readonly string[],
  isStar: (part: string) => boolean,
  same: (part: string, other: string) => boolean,
): boolean {
  let [at, star, mark] = [0, -1, 0];
  for (let place = 0; place < text.length;) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) [star, mark, at] = [at, place, at + 1];
    else if (part !== undefined && same(part, text[place] ?? "")) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [at, mark, place] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return pattern.slice(at).every(isStar);
}
