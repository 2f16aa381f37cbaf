/**
 * Makes unique variable names from any texts: letters, digits, `_`, `.` and `-` are kept, other characters become `_`.
 */
export class VariableNames {
  readonly #names = new Set<string>();

  of(text: string): string {
    const plain = text
      .normalize("NFC")
      .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "_")
      .slice(0, 100);
    let name = /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`;
    while (this.#names.has(name.toLowerCase())) name += "_";
    this.#names.add(name.toLowerCase());
    return name;
  }
}
