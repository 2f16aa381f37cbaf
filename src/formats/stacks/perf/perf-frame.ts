/** A frame printed by `perf script`. */
export interface PerfFrame {
  /** null if unknown. */
  readonly symbol: string | null;
  /**
   * File of the code, or a name in brackets (`[kernel.kallsyms]`, `[vdso]`); null if unknown or not printed.
   */
  readonly module: string | null;
  /** Whether the compiler inlined this call into its caller. */
  readonly isInlined: boolean;
}

/**
 * Parses `ADDRESS SYMBOL+0xOFFSET (MODULE)`; address and offset are optional. Returns null for other lines. Symbols
 * (`operator()(int) const`) and modules (`/tmp/a (b)/c (deleted)`) may contain blanks and parentheses.
 */
export function readPerfFrame(line: string): PerfFrame | null {
  const text = line.trim();
  const opening = openingOf(text);
  const address = /^[0-9a-f]{1,16}(?=\s)/.exec(text)?.[0] ?? "";
  if (opening < 0)
    return address.length > 0 && !/\s\S+\s/.test(text) ? frameOf(text.slice(address.length), null, false) : null;
  // Without an address, a symbol may consist of hexadecimal digits: `add (prog)`.
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

/** The index of the parenthesis that the last character closes; −1 if there is none. */
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

/** Whether a frame is in the kernel or its modules: perf prints these in brackets, or as `.ko` files. */
export function isKernel({ module }: PerfFrame): boolean {
  if (module === null) return false;
  return (
    module.endsWith(".ko") ||
    (/^\[.*\]$/.test(module) && !/^\[(?:vdso|vsyscall|unknown|heap|stack|anon|uprobes|jit)\b.*\]$/.test(module))
  );
}

/**
 * The file name of a module; `[jit]` for the symbol files of JIT compilers, whose names contain the process id.
 */
export function moduleName({ module }: PerfFrame): string | null {
  if (module === null || module.startsWith("[")) return module;
  const name = module.slice(module.lastIndexOf("/") + 1);
  return /^perf-\d+\.map$/.test(name) ? "[jit]" : name;
}

/** The name of a frame: its symbol, `[libc.so.6]` if only the module is known, or `[unknown]`. */
export function frameName(frame: PerfFrame): string {
  const module = moduleName(frame);
  if (frame.symbol !== null) return frame.symbol;
  if (module === null) return "[unknown]";
  return module.startsWith("[") ? module : `[${module}]`;
}
