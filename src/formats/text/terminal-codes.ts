const [escape, bell, newline] = [0x1b, 0x07, 0x0a];
const [leftBracket, rightBracket, leftParenthesis, backslash] = [0x5b, 0x5d, 0x28, 0x5c];

/**
 * UTF-8 text without the codes of terminals that colour it or set titles: `ESC [ … m` and other control sequences,
 * `ESC ] … BEL`, `ESC ( B`. Other escapes stay. A code never reaches beyond its line.
 */
export function withoutTerminalCodes(bytes: Uint8Array): Uint8Array {
  let next = bytes.indexOf(escape);
  if (next < 0) return bytes;
  const kept = new Uint8Array(bytes.length);
  let [length, at] = [0, 0];
  while (next >= 0) {
    const end = codeEnd(bytes, next);
    const from = at;
    at = Math.max(end, next + 1);
    const piece = bytes.subarray(from, end > next ? next : at);
    kept.set(piece, length);
    length += piece.length;
    next = bytes.indexOf(escape, at);
  }
  kept.set(bytes.subarray(at), length);
  return kept.subarray(0, length + bytes.length - at);
}

/** The offset after the code that begins with the escape at `start`; `start`: it is none. */
function codeEnd(bytes: Uint8Array, start: number): number {
  const kind = bytes[start + 1];
  if (kind === leftParenthesis) return isFinal(bytes[start + 2]) ? start + 3 : start;
  if (kind === leftBracket) {
    let at = start + 2;
    while (isBetween(bytes[at], 0x20, 0x3f)) at += 1;
    return isFinal(bytes[at]) ? at + 1 : start;
  }
  if (kind !== rightBracket) return start;
  for (let at = start + 2; at < bytes.length && bytes[at] !== newline; at++) {
    if (bytes[at] === bell) return at + 1;
    if (bytes[at] === escape) return bytes[at + 1] === backslash ? at + 2 : start;
  }
  return start;
}

function isFinal(byte: number | undefined): boolean {
  return isBetween(byte, 0x40, 0x7e);
}

function isBetween(byte: number | undefined, least: number, most: number): boolean {
  return byte !== undefined && byte >= least && byte <= most;
}
