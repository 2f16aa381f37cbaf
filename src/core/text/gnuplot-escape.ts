/**
 * A text in single quotes, in which gnuplot expands neither backquotes (system commands) nor macros. Control
 * characters, which could end the line, become blanks. gnuplot reads a leading doubled quote as an empty text, so a
 * blank precedes it.
 */
export function quoted(text: string): string {
  const escaped = text.replaceAll(/\p{Cc}/gu, " ").replaceAll("'", "''");
  return `'${escaped.startsWith("'") ? " " : ""}${escaped}'`;
}

/**
 * A name as gnuplot's enhanced text. As in perfbase, a single `_` or `^` in a word starts a subscript or superscript;
 * words with several are names of programs and files, and are escaped like all other markup. Existing backslash escapes
 * stay.
 */
export function enhanced(text: string): string {
  return grouped(text, /\\.|([_^])([\p{L}\p{N}]+)|[{}@&~_^\\]/gu);
}

/** Enhanced text written by a user: its markup stays. */
export function enhancedTitle(text: string): string {
  return grouped(text, /\\.|([_^])([\p{L}\p{N}]+)/gu);
}

/** `pattern` matches escapes, a sign with the following word, and characters to escape. */
function grouped(text: string, pattern: RegExp): string {
  return text.replaceAll(/\S+/gu, (word) => {
    const isName = (word.replaceAll(/\\./gu, "").match(/[_^]/g) ?? []).length > 1;
    return word.replaceAll(pattern, (found, sign: string | undefined, script: string | undefined) => {
      if (sign !== undefined) return isName ? `\\${found}` : `${sign}{${script}}`;
      return found.length > 1 ? found : `\\${found}`;
    });
  });
}
