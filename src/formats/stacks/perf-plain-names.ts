import { readPerfFrame, type PerfFrame } from "./perf-frame.ts";

/** A call of a line of `perf script`. */
export interface PlainCall {
  readonly frame: PerfFrame;
  /** What flame graphs call it. */
  readonly plain: string;
}

/**
 * The calls of a line of `perf script`, outer first, with the short names that stackcollapse-perf of FlameGraph gives by default and that people know from
 * flame graphs: no offset, no arguments of C++, `[module]` where perf knows no symbol. `a->b`, as compilers of Java tell inlined calls, is two calls.
 * None for the names of processes that old versions printed; null: the line is no frame.
 */
export function plainCalls(line: string): readonly PlainCall[] | null {
  const frame = readPerfFrame(line);
  if (frame === null) return null;
  const [symbol, module] = symbolAndModule(line) ?? [frame.symbol ?? "[unknown]", frame.module ?? "[unknown]"];
  if (symbol.startsWith("(")) return [];
  if (!symbol.includes("->")) return [{ frame, plain: plainName(symbol, module) }];
  return symbol.split("->").map((name) => ({ frame: { ...frame, symbol: name }, plain: plainName(name, module) }));
}

/** As that program cuts a line: the last ` (` in front of a `)` ends the symbol, so that of `f (/a (deleted))` the symbol is `f (/a`. */
function symbolAndModule(line: string): readonly [symbol: string, module: string] | null {
  const address = /^\s*\w+\s+/.exec(line)?.[0];
  const closing = line.lastIndexOf(")");
  const opening = closing < 0 ? -1 : line.lastIndexOf(" (", closing - 2);
  if (address === undefined || opening <= address.length - 1 || !/^\s*[0-9a-f]+\s/.test(address)) return null;
  return [line.slice(address.length, opening).replace(/\+0x[0-9a-f]+$/, ""), line.slice(opening + 2, closing)];
}

function plainName(symbol: string, module: string): string {
  if (symbol === "[unknown]")
    return module === "[unknown]" ? symbol : `[${module.slice(module.lastIndexOf("/") + 1).replaceAll(";", ":")}]`;
  const name = symbol.replaceAll(";", ":");
  return (isGoMethod(name) ? name : withoutArguments(name)).replaceAll(/["']/g, "");
}

/** `net/http.(*Client).Do`. */
function isGoMethod(name: string): boolean {
  const opening = name.indexOf(".(");
  return opening >= 0 && name.lastIndexOf(").") >= opening + 2;
}

/** `(anonymous namespace)` are no arguments. */
function withoutArguments(name: string): string {
  for (let at = name.indexOf("("); at >= 0; at = name.indexOf("(", at + 1))
    if (!name.startsWith("(anonymous namespace)", at)) return name.slice(0, at);
  return name;
}

/** Of Java's own spelling of types only the letter in front is left out, where the program is Java. */
export function plainOfJava(plain: string): string {
  return plain.startsWith("L") && plain.includes(":") ? plain.slice(1) : plain;
}
