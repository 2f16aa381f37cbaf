import { readPerfFrame, type PerfFrame } from "./perf-frame.ts";

/** A call in a line of `perf script`. */
export interface PlainCall {
  readonly frame: PerfFrame;
  /** Its name in flame graphs. */
  readonly plain: string;
}

export function keyOf({ frame, plain }: PlainCall): string {
  return `${plain}\n${frame.symbol ?? ""}\n${frame.module ?? ""}\n${frame.isInlined}`;
}

/**
 * The calls in a line of `perf script`, outermost first, with the short names of FlameGraph's stackcollapse-perf:
 * without offsets and C++ arguments, `[module]` without a symbol. `a->b`, the inlined calls of Java compilers, is two
 * calls. Empty for process names, which old versions printed; null if the line is not a frame.
 */
export function plainCalls(line: string): readonly PlainCall[] | null {
  const frame = readPerfFrame(line);
  if (frame === null) return null;
  const [symbol, module] = symbolAndModule(line) ?? [frame.symbol ?? "[unknown]", frame.module ?? "[unknown]"];
  return callsOf(frame, symbol, module);
}

/** The calls of a frame, outermost first. */
export function callsOf(
  frame: PerfFrame,
  symbol = frame.symbol ?? "[unknown]",
  module = frame.module ?? "[unknown]",
): readonly PlainCall[] {
  if (symbol.startsWith("(")) return [];
  if (!symbol.includes("->")) return [{ frame, plain: plainName(symbol, module) }];
  // The name of `operator->` ends with the separator.
  const names = symbol.replace(/(?:->)+$/, "").split("->");
  return names.map((name) => ({ frame: { ...frame, symbol: name }, plain: plainName(name, module) }));
}

/**
 * Splits a line as stackcollapse-perf does: the last ` (` before a `)` ends the symbol, so the symbol of
 * `f (/a (deleted))` is `f (/a`.
 */
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

/** Removes arguments, but keeps `(anonymous namespace)`. */
function withoutArguments(name: string): string {
  for (let at = name.indexOf("("); at >= 0; at = name.indexOf("(", at + 1))
    if (!name.startsWith("(anonymous namespace)", at)) return name.slice(0, at);
  return name;
}
