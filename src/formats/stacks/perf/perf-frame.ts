/** One call of a stack, as `perf script` prints it. */
export interface PerfFrame {
  /** null: perf knows no symbol there. */
  readonly symbol: string | null;
  /**
   * File that the code was loaded from, or a name in brackets (`[kernel.kallsyms]`, `[vdso]`); null: not known or not
   * printed.
   */
  readonly module: string | null;
  /** The compiler put this call into the one that called it. */
  readonly isInlined: boolean;
}

/**
 * Reads `ADDRESS SYMBOL+0xOFFSET (MODULE)`, of which address and offset may be missing; null: the line is none. Symbols
 * (`operator()(int) const`) and modules (`/tmp/a (b)/c (deleted)`) may contain blanks and parentheses.
 */
export function readPerfFrame(line: string): PerfFrame | null {
  const text = line.trim();
  const opening = openingOf(text);
  const address = /^[0-9a-f]{1,16}(?=\s)/.exec(text)?.[0] ?? "";
  if (opening < 0)
    return address.length > 0 && !/\s\S+\s/.test(text) ? frameOf(text.slice(address.length), null, false) : null;
  // Without an address a symbol may consist of such letters: `add (prog)`.
  const start = text.slice(0, opening).trim() === address && address.length < 8 ? 0 : address.length;
  const last = text.slice(opening + 1, -1);
  return frameOf(text.slice(start, opening), last === "inlined" ? null : last, last === "inlined");
}

function frameOf(symbol: string, module: string | null, isInlined: boolean): PerfFrame {
  const name = symbol.trim().replace(/\+0x[0-9a-f]{1,16}$/, "");
  const file = module?.replace(/ \(deleted\)$/, "") ?? "[unknown]";
  return {
    symbol: name === "" || name === "[unknown]" ? null : name,
    module: file === "[unknown]" ? null : file,
    isInlined,
  };
}

/** Where the parenthesis opens that the last character closes; -1: nowhere. */
function openingOf(text: string): number {
  if (!text.endsWith(")")) return -1;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at];
    if (character === ")") depth++;
    else if (character === "(" && --depth === 0 && (at === 0 || text[at - 1] === " ")) return at;
  }
  return text.lastIndexOf(" (") + 1 || -1;
}

/** True of the kernel and its modules: perf prints them in brackets, except files of modules. */
export function isKernel({ module }: PerfFrame): boolean {
  if (module === null) return false;
  return (
    module.endsWith(".ko") ||
    (/^\[.*\]$/.test(module) && !/^\[(?:vdso|vsyscall|unknown|heap|stack|anon|uprobes|jit)\b.*\]$/.test(module))
  );
}

/**
 * The last part of the path of a module. Files by which compilers at run time tell their symbols have the number of the
 * process in their names.
 */
export function moduleName({ module }: PerfFrame): string | null {
  if (module === null || module.startsWith("[")) return module;
  const name = module.slice(module.lastIndexOf("/") + 1);
  return /^perf-\d+\.map$/.test(name) ? "[jit]" : name;
}

/** What a frame is called: its symbol, or `[libc.so.6]` where only the module is known, or `[unknown]`. */
export function frameName(frame: PerfFrame): string {
  const module = moduleName(frame);
  if (frame.symbol !== null) return frame.symbol;
  if (module === null) return "[unknown]";
  return module.startsWith("[") ? module : `[${module}]`;
}
