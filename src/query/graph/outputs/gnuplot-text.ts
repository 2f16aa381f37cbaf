/**
 * A text in single quotes, where gnuplot replaces nothing: neither backquotes (commands of the system) nor macros. Controls, which could
 * end the line, become blanks.
 */
export function quoted(text: string): string {
  return `'${text.replaceAll(/\p{Cc}/gu, " ").replaceAll("'", "''")}'`;
}

/**
 * A name as gnuplot's enhanced text shows it: what follows `_` and `^` is set lower or higher as one group, as perfbase does; everything
 * else that marks up is shown as it is. What is escaped by a backslash already stays so.
 */
export function enhanced(text: string): string {
  return text.replaceAll(/\\.|([_^])([\p{L}\p{N}]+)|[{}@&~_^\\]/gu, (found, sign: string | undefined, word: string | undefined) => {
    if (sign !== undefined) return `${sign}{${word}}`;
    return found.length > 1 ? found : `\\${found}`;
  });
}

/** Enhanced text that a user wrote as such: markup stays, words after `_` and `^` are grouped. */
export function enhancedTitle(text: string): string {
  return text.replaceAll(/\\.|([_^])([\p{L}\p{N}]+)/gu, (found, sign: string | undefined, word: string | undefined) =>
    sign === undefined ? found : `${sign}{${word}}`,
  );
}
