/** `fn=(12) name` says what 12 means, and `fn=(12)` means it; libraries, files and functions are numbered apart. */
export class CallgrindNames {
  readonly #byNumber = new Map<string, string>();

  of(written: string): string {
    const end = numberEnd(written);
    if (end === 0) return written;
    const number = written.slice(0, end);
    if (end < written.length) this.#byNumber.set(number, written.slice(end + 1));
    return this.#byNumber.get(number) ?? number;
  }
}

/** Where the number in brackets ends with which the text begins, alone or before a space; 0: it does not. */
function numberEnd(text: string): number {
  if (text.charCodeAt(0) !== 0x28) return 0;
  let at = 1;
  while (isDigit(text.charCodeAt(at))) at++;
  if (at === 1 || text.charCodeAt(at) !== 0x29) return 0;
  return at + 1 === text.length || text.charCodeAt(at + 1) === 0x20 ? at + 1 : 0;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
