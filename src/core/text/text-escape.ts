/** Escapes by the character after the backslash. `&` is the empty text: it protects leading and trailing blanks. */
const signs: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\", "&": "" };

const escape = /\\(?:u([0-9A-Fa-f]{4})|([nrt\\&]))/g;

/** Controls and other invisible characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The inverse of `unescaped`: one line without tabs and without leading or trailing blanks, never empty. */
export function escapedText(text: string): string {
  const inside = text.replaceAll("\\", "\\\\").replace(hidden, escaped);
  const before = inside === "" || inside.startsWith('"') || inside.trimStart() !== inside ? "\\&" : "";
  return `${before}${inside}${inside.trimEnd() === inside ? "" : "\\&"}`;
}

/** Replaces the escapes in a text; other backslashes are literal. */
export function unescaped(text: string): string {
  return text.replaceAll(escape, (_, code: string | undefined, sign: string | undefined) =>
    code === undefined ? (signs[sign ?? ""] ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function escaped(char: string): string {
  const sign = Object.keys(signs).find((each) => signs[each] === char);
  if (sign !== undefined) return `\\${sign}`;
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
    "",
  );
}
