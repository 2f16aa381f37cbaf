import { Failure } from "../failures/index.ts";

/**
 * Splits a command into words, without a shell. Blanks separate words. `'…'` is literal; in `"…"` a backslash escapes
 * `"` and `\`, elsewhere any character. Nothing is expanded: `$`, `*`, `~`, `;`, `&`, `>` are ordinary characters.
 * Fails with `bad-command` on an open quote, a final backslash or a NUL.
 */
export function splitCommand(text: string): string[] {
  return scan(text).map((word) => word.text);
}

/** Splits commands joined by ` | `, an unquoted `|` as a word of its own. Fails with `bad-command` if one is empty. */
export function splitPipeline(text: string): string[][] {
  const stages: string[][] = [[]];
  for (const word of scan(text)) {
    if (word.text === "|" && !word.quoted) stages.push([]);
    else stages.at(-1)?.push(word.text);
  }
  if (stages.some((stage) => stage.length === 0))
    throw new Failure("bad-command", { command: text, reason: "a command is empty" });
  return stages;
}

/** The inverse of `splitCommand`. */
export function quoteCommand(words: readonly string[]): string {
  return words.map((word) => (/^[^\s'"\\|]+$/.test(word) ? word : quoted(word))).join(" ");
}

/** Like `quoteCommand`, safe to paste into a shell: every character that a shell might interpret is quoted. */
export function shellCommand(words: readonly string[]): string {
  return words
    .map((word) => (/^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+=:,./-]*$/u.test(word) ? word : quoted(word)))
    .join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

const piece = /([ \t\r\n]+)|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^ \t\r\n'"\\]+)/y;

function scan(text: string): Word[] {
  if (text.includes("\0"))
    throw new Failure("bad-command", { command: text.replaceAll("\0", "^@"), reason: "it contains a NUL" });
  const words: Word[] = [];
  let word: Word | undefined;
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text);
    if (!found)
      throw new Failure("bad-command", { command: text, reason: "a quote is not closed or a backslash ends it" });
    if (found[1] !== undefined) {
      if (word) words.push(word);
      word = undefined;
    } else word = joined(word, found);
  }
  if (word) words.push(word);
  return words;
}

function joined(word: Word | undefined, found: RegExpExecArray): Word {
  const [, , single, double, escaped, plain] = found;
  const text = single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? plain ?? "";
  return { text: (word?.text ?? "") + text, quoted: (word?.quoted ?? false) || plain === undefined };
}
