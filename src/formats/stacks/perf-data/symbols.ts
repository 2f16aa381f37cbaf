/** A function with its addresses, from `start` to before `end`. */
export interface CodeSymbol {
  readonly name: string;
  readonly start: number;
  /** `start` if its size is unknown. */
  readonly end: number;
  readonly isWeak: boolean;
  readonly isGlobal: boolean;
}

/** Finds functions by address, as perf does. */
export class CodeSymbols {
  readonly #symbols: readonly CodeSymbol[];

  /** Of several symbols at an address the best is used; one without size reaches to the next. */
  constructor(symbols: readonly CodeSymbol[]) {
    const sorted = symbols.toSorted((a, b) => a.start - b.start || preference(a, b));
    this.#symbols = sorted.filter(({ start }, at) => at === 0 || start !== sorted[at - 1]!.start);
  }

  /** The name of the function; null if there is none. */
  nameAt(address: number): string | null {
    const symbols = this.#symbols;
    let [low, high] = [0, symbols.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (symbols[middle]!.start > address) high = middle;
      else low = middle + 1;
    }
    // A function may hold the entry of another one.
    for (let at = low - 1; at >= 0 && at > low - 5; at--) {
      const { name, start, end } = symbols[at]!;
      const limit = end === start ? (symbols[at + 1]?.start ?? start + 4096) : end;
      if (address < limit) return name;
    }
    return null;
  }
}

/** Below 0 if `a` is the better name: of known size, strong, global, with fewer underscores, longer. */
function preference(a: CodeSymbol, b: CodeSymbol): number {
  const underscores = (name: string): number => /^_*/.exec(name)![0].length;
  return (
    Number(a.end === a.start) - Number(b.end === b.start) ||
    Number(a.isWeak) - Number(b.isWeak) ||
    Number(b.isGlobal) - Number(a.isGlobal) ||
    underscores(a.name) - underscores(b.name) ||
    b.name.length - a.name.length
  );
}

/** Reads a list of generated code: lines `START SIZE NAME` in hexadecimal. Later lines replace earlier ones. */
export function readPerfMap(listed: string): CodeSymbols {
  const symbols = new Map<number, CodeSymbol>();
  for (const [, from = "", size = "", name = ""] of listed.matchAll(
    /^(?:0x)?([0-9a-f]{1,16}) (?:0x)?([0-9a-f]{1,16}) (\S.*)$/gim,
  )) {
    const start = Number(BigInt.asIntN(64, BigInt(`0x${from}`)));
    symbols.set(start, { name, start, end: start + Number.parseInt(size, 16), isWeak: false, isGlobal: true });
  }
  return new CodeSymbols([...symbols.values()]);
}

/**
 * Reads the functions in a list as `/proc/kallsyms`, moved so that the symbol `reference` is at `address`; null if
 * addresses are hidden. Those of kernel modules are left out if the kernel has moved.
 */
export function readKallsyms(listed: string, reference: string, address: number): CodeSymbols | null {
  // Of several symbols at an address perf uses the last.
  const symbols = new Map<number, CodeSymbol & { readonly isModule: boolean }>();
  let origin = 0;
  for (const [, start, kind, name, module] of listed.matchAll(/^([0-9a-f]{8,16}) (\w) (\S+)(\t.*)?$/gm)) {
    const at = Number(BigInt.asIntN(64, BigInt(`0x${start}`)));
    if (name === reference) origin = at;
    if (!/[tw]/i.test(kind!)) continue;
    const [isWeak, isGlobal] = [/w/i.test(kind!), kind === "T"];
    symbols.set(at, { name: name!, start: at, end: at, isWeak, isGlobal, isModule: module !== undefined });
  }
  if (origin === 0) return null;
  const moved = address - origin;
  const fixed = [...symbols.values()].filter(({ isModule }) => moved === 0 || !isModule);
  return new CodeSymbols(fixed.map((each) => ({ ...each, start: each.start + moved, end: each.end + moved })));
}
