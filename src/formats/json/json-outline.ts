/** Deeper members do not help to detect a format. */
const deepest = 5;

interface Level {
  /** Path of the object or list with a trailing dot; empty for the document. */
  readonly path: string;
  readonly isList: boolean;
}

/**
 * The paths of the members in the first bytes of a JSON document: `profiles`, `profiles[].type`, `[].ph`. Empty unless
 * the bytes begin like JSON. The document may be truncated and is not validated.
 */
export function jsonOutline(head: Uint8Array): ReadonlySet<string> {
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, "");
  const found = new Set<string>();
  if (!/^\s*[[{]/.test(text)) return found;
  const levels: Level[] = [];
  let key = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|\\?$)|[[\]{}]/gs)) {
    const level = levels.at(-1);
    const path = level === undefined ? "" : `${level.path}${level.isList ? "" : key}`;
    if (token === "{" || token === "[")
      levels.push({ path: token === "[" ? `${path}[].` : path === "" ? "" : dotted(path), isList: token === "[" });
    else if (token === "}" || token === "]") levels.pop();
    else if (token.endsWith(":") && level !== undefined && levels.length <= deepest) {
      key = token.slice(1, token.lastIndexOf('"'));
      if (found.size < 500) found.add(`${level.path}${key}`);
    }
    if (levels.length === 0) break;
  }
  return found;
}

function dotted(path: string): string {
  return path.endsWith(".") ? path : `${path}.`;
}
