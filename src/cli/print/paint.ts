/** Terminal colors, or none. Empty text stays empty. */
export interface Paint {
  bad(text: string): string;
  good(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
  /** By profile type: time blue, mixed cyan, memory white. */
  type(type: string, text: string): string;
}

const typeCodes: Readonly<Record<string, number>> = { time: 34, mixed: 36, memory: 37 };

export function paintFor(color: boolean): Paint {
  const code =
    (sgr: number) =>
    (text: string): string =>
      color && text !== "" ? `\u001B[${sgr}m${text}\u001B[0m` : text;
  return {
    bad: code(31),
    good: code(32),
    dim: code(2),
    strong: code(1),
    type: (type, text) => code(typeCodes[type] ?? 0)(text),
  };
}
