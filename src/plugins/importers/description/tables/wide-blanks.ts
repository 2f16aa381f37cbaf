/** The bytes that begin white space beyond ASCII. */
export const wideBlankLeads = [0, 0xa0, 0xc2, 0xe1, 0xe2, 0xe3, 0xef];

/**
 * The length in bytes of the white space beyond ASCII at an offset: the spaces of Unicode, no-break spaces of latin1,
 * byte order marks, and NULs between blanks, as in holes of files. 0: there is none.
 */
export function wideBlankLength(bytes: Uint8Array, at: number): number {
  const [second, third] = [bytes[at + 1], bytes[at + 2]];
  switch (bytes[at]) {
    case 0:
      return loneNuls(bytes, at);
    case 0xa0:
      // After another byte beyond ASCII it is a part of a character of UTF-8.
      return (bytes[at - 1] ?? 0) < 0x80 ? 1 : 0;
    case 0xc2:
      return second === 0xa0 ? 2 : 0;
    case 0xe1:
      return second === 0x9a && third === 0x80 ? 3 : 0;
    case 0xe2:
      return isGeneralSpace(second, third) ? 3 : 0;
    case 0xe3:
      return second === 0x80 && third === 0x80 ? 3 : 0;
    default:
      return bytes[at] === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  }
}

/** U+2000 to U+200B, U+2028, U+2029, U+202F and U+205F, after their first byte. */
function isGeneralSpace(second: number | undefined, third = 0): boolean {
  if (second === 0x81) return third === 0x9f;
  return second === 0x80 && ((third >= 0x80 && third <= 0x8b) || third === 0xa8 || third === 0xa9 || third === 0xaf);
}

/** NULs next to a word may stand for a part of it. */
function loneNuls(bytes: Uint8Array, start: number): number {
  if (start > 0 && !isAsciiBlank(bytes[start - 1])) return 0;
  let end = start;
  while (bytes[end] === 0) end += 1;
  return isAsciiBlank(bytes[end]) ? end - start : 0;
}

/** True for a blank of ASCII and for the end of a line. */
function isAsciiBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === undefined || (byte >= 9 && byte <= 13);
}
