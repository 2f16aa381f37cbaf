/**
 * The beginning of a JSON document as a text, for looking at its marks; empty unless it begins with `bracket`. The
 * bytes may be cut anywhere and need be no JSON.
 */
export function jsonHead(head: Uint8Array, bracket: "{" | "["): string {
  const text = new TextDecoder().decode(head);
  return text.trimStart().startsWith(bracket) ? text : "";
}

/** Whether all the members are named in a text of JSON. */
export function hasMembers(text: string, ...names: readonly string[]): boolean {
  return names.every((name) => text.includes(`"${name}"`));
}
