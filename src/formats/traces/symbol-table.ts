/** A function of a program or library, with its address in the file. */
export interface FunctionSymbol {
  readonly address: bigint;
  /** Mangled name. */
  readonly name: string;
  /** Demangled name; with parameters in C++. */
  readonly prototype: string;
  readonly isGlobal: boolean;
}

/**
 * The functions in two outputs of `nm --defined-only --no-sort`, without and with `--demangle`.
 */
export function readSymbols(listed: string, demangled: string): FunctionSymbol[] {
  const prototypes = demangled.split("\n");
  return listed.split("\n").flatMap((line, at) => {
    const [, address, kind, name] = symbolLine.exec(line) ?? [];
    if (address === undefined || kind === undefined || name === undefined) return [];
    const [, sameAddress, , prototype] = symbolLine.exec(prototypes[at] ?? "") ?? [];
    const called = sameAddress === address && prototype !== undefined ? prototype : name;
    return [
      {
        address: BigInt(`0x${address}`),
        name: unversioned(name),
        prototype: unversioned(called),
        isGlobal: kind === "T",
      },
    ];
  });
}

const symbolLine = /^([0-9a-f]{1,16}) ([tTwWiu]) (.+)$/;

function unversioned(name: string): string {
  return name.replace(/@@?[\w.]+$/, "");
}

/** By address; of several names for one address, the first global one, else the first. */
export function symbolsByAddress(symbols: readonly FunctionSymbol[]): Map<bigint, FunctionSymbol> {
  const byAddress = new Map<bigint, FunctionSymbol>();
  for (const symbol of symbols) {
    const known = byAddress.get(symbol.address);
    if (known === undefined || (symbol.isGlobal && !known.isGlobal)) byAddress.set(symbol.address, symbol);
  }
  return byAddress;
}

/**
 * Whether `name` matches the function: its prototype, its name with or without scopes, or its mangled name.
 */
export function matchesName(symbol: FunctionSymbol, name: string): boolean {
  const prototype = symbol.prototype.replace(/(?: \[clone [^\]]*\])+$/, "");
  if ([prototype, symbol.name, symbol.name.replace(/\.(?:cold|part|constprop|isra|lto_priv)\b.*$/, "")].includes(name))
    return true;
  const qualified = withoutParameters(prototype);
  return qualified === name || lastOf(qualified) === name;
}

/** `void List<int>::push<char>(char) const` becomes `List<int>::push<char>`. */
function withoutParameters(prototype: string): string {
  const end = prototype.replace(/\)(?: (?:const|volatile|&&?|noexcept))+$/, ")");
  if (!end.endsWith(")")) return prototype;
  let depth = 0;
  let at = end.length - 1;
  for (; at >= 0; at--) {
    if (end[at] === ")") depth++;
    if (end[at] === "(" && --depth === 0) break;
  }
  const name = end.slice(0, Math.max(at, 0));
  return name.slice(lastOutside(name, " ") + 1);
}

function lastOf(qualified: string): string {
  return qualified.slice(lastOutside(qualified, ":") + 1);
}

/** The last index of a character outside of brackets and operator names; −1 if there is none. */
function lastOutside(text: string, wanted: string): number {
  const operator = /(?:^|\W)operator\W/.exec(text);
  const end = operator ? operator.index + 1 : text.length;
  let [depth, last] = [0, -1];
  for (let at = 0; at < end; at++) {
    const character = text[at]!;
    if ("<({".includes(character)) depth++;
    else if (">)}".includes(character)) depth--;
    else if (character === wanted && depth === 0) last = at;
  }
  return last;
}
