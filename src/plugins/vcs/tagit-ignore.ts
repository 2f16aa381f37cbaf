/** One line of `.tagitignore`. */
interface Rule {
  readonly segments: readonly string[];
  readonly isException: boolean;
  readonly onlyFolders: boolean;
}

/** Folders that are never part of a version: metadata of version control systems and of perfkeep. */
const metadataFolders = new Set([".tagit", ".perun", ".git", ".hg"]);

/**
 * Ignore rules in the syntax of git's ignore files: `*` and `?` within a name, `**` for any folders, a trailing `/` for
 * folders only, another `/` anchors the pattern at the root; `!` re-includes, `#` starts a comment.
 */
export class TagitIgnore {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(ruleOf);
  }

  /** `path` is relative to the root. Callers do not descend into ignored folders. */
  covers(path: string, isFolder: boolean): boolean {
    const segments = path.split("/");
    if (metadataFolders.has(segments.at(-1) ?? "")) return true;
    const last = this.#rules.findLast(
      (rule) => (isFolder || !rule.onlyFolders) && pathMatches(rule.segments, segments),
    );
    return last !== undefined && !last.isException;
  }
}

function ruleOf(line: string): Rule[] {
  const text = line.trimEnd();
  if (text === "" || text.startsWith("#")) return [];
  const isException = text.startsWith("!");
  const body = isException ? text.slice(1) : text;
  const onlyFolders = body.endsWith("/");
  const pattern = onlyFolders ? body.slice(0, -1) : body;
  const segments = pattern.split("/").filter((segment) => segment !== "");
  if (segments.length === 0) return [];
  return [{ segments: pattern.includes("/") ? segments : ["**", ...segments], isException, onlyFolders }];
}

function pathMatches(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesGlob(pattern, path, (part) => part === "**", nameMatches);
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
