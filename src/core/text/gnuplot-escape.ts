/**
 * A text in single quotes, where gnuplot replaces nothing: neither backquotes (commands of the system) nor macros.
 * Controls, which could end the line, become blanks. A doubled quote at the beginning would be read as an empty text: a
 * blank stands before it.
 */
export function quoted(text: string): string {
  const escaped = text.replaceAll(/\p{Cc}/gu, " ").replaceAll("'", "''");
  return `'${escaped.startsWith("'") ? " " : ""}${escaped}'`;
}

/**
 * A name as gnuplot's enhanced text shows it. As in perfbase what follows the one `_` or `^` of a word is set lower or
 * higher; words with several are names of programs and files, and stay as they are, like everything else that would
 * mark up. What is escaped by a backslash already stays so.
 */
export function enhanced(text: string): string {
  return grouped(text, /\\.|([_^])([\p{L}\p{N}]+)|[{}@&~_^\\]/gu);
}

/** Enhanced text that a user wrote as such: its markup stays. */
export function enhancedTitle(text: string): string {
  return grouped(text, /\\.|([_^])([\p{L}\p{N}]+)/gu);
}

/** `pattern`: what is escaped, what is a sign with a word behind, what has to be escaped. */
function grouped(text: string, pattern: RegExp): string {
  return text.replaceAll(/\S+/gu, (word) => {
    const isName = (word.replaceAll(/\\./gu, "").match(/[_^]/g) ?? []).length > 1;
    return word.replaceAll(pattern, (found, sign: string | undefined, behind: string | undefined) => {
      if (sign !== undefined) return isName ? `\\${found}` : `${sign}{${behind}}`;
      return found.length > 1 ? found : `\\${found}`;
    });
  });
}
