/** `fn=(12) name` says what 12 means, and `fn=(12)` means it; libraries, files and functions are numbered apart. */
export class CallgrindNames {
  readonly #byNumber = new Map<string, string>();

  of(written: string): string {
    const [, number, name] = /^(\(\d+\))(?: (.*))?$/.exec(written) ?? [];
    if (number === undefined) return written;
    if (name !== undefined) this.#byNumber.set(number, name);
    return this.#byNumber.get(number) ?? number;
  }
}
