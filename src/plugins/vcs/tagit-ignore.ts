import { PathGlob } from "../../core/text/index.ts";

/** One line of `.tagitignore`. */
interface Rule {
  readonly glob: PathGlob;
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
    if (metadataFolders.has(path.split("/").at(-1) ?? "")) return true;
    const last = this.#rules.findLast((rule) => (isFolder || !rule.onlyFolders) && rule.glob.matches(path));
    return last !== undefined && !last.isException;
  }
}

function ruleOf(line: string): Rule[] {
  const text = line.trimEnd();
  if (text === "" || text.startsWith("#")) return [];
  const isException = text.startsWith("!");
  const body = isException ? text.slice(1) : text;
  const onlyFolders = body.endsWith("/");
  if (/^\/*$/.test(body)) return [];
  return [{ glob: new PathGlob(body), isException, onlyFolders }];
}
