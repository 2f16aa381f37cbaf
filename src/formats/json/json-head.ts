/**
 * The beginning of a JSON document as text, to detect its format; empty unless it begins with `bracket`. The bytes may
 * be truncated anywhere and need not be JSON.
 */
export function jsonHead(head: Uint8Array, bracket: "{" | "["): string {
  const text = new TextDecoder().decode(head);
  return text.trimStart().startsWith(bracket) ? text : "";
}

/** Whether a JSON text contains all the member names. */
export function hasMembers(text: string, ...names: readonly string[]): boolean {
  return names.every((name) => text.includes(`"${name}"`));
}
