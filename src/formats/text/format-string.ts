/** A piece of a format string: literal text, or a token with its width and fill character. */
export type FormatPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "token"; readonly name: string; readonly width: number | undefined; readonly fill: string };

/**
 * Splits a format string of `format.status` or `format.shortlog` (Perun 0.21) at `%`. Odd pieces are tokens: `%name%`,
 * `%name:6%` (width) or `%name:20f-%` (width and fill character). An empty token is a literal percent sign.
 */
export function parseFormatString(format: string): FormatPiece[] {
  return format
    .split("%")
    .map((piece, i) => (i % 2 === 0 ? literal(piece) : token(piece)))
    .filter((piece) => piece.kind === "token" || piece.text !== "");
}

function literal(text: string): FormatPiece {
  return { kind: "text", text };
}

function token(piece: string): FormatPiece {
  if (piece === "") return literal("%");
  const match = /^([^:]*):(\d{1,4})(?:f(.))?$/u.exec(piece);
  if (!match) return { kind: "token", name: piece, width: undefined, fill: " " };
  return { kind: "token", name: match[1] ?? "", width: Number(match[2]), fill: match[3] ?? " " };
}
