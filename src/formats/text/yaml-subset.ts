import type { Setting } from "../../core/values/index.ts";

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** A key of a block mapping and its value. */
const entry = /^([A-Za-z_][A-Za-z0-9_]*):(?: +(.*))?$/;

/** Texts that are or may be numbers: left to the full reader. */
const numberLike = /^[-+.]?[0-9]|^[-+]?\.(?:inf|nan)$/i;

const words: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ...["null", "Null", "NULL", "~"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/**
 * Reads the subset of YAML that nearly every configuration uses: block mappings and lists of one-line scalars. Returns
 * undefined for anything else, which needs the full reader; otherwise both agree. Loading the full reader takes a third
 * of the time of a short command.
 */
export function readPlainYaml(text: string): Setting | undefined {
  const lines = meaningfulLines(text);
  if (lines === undefined) return undefined;
  if (lines.length === 0) return null;
  const reader = new PlainReader(lines);
  const value = reader.block(lines[0]?.indent ?? 0, 0);
  return reader.isAtEnd ? value : undefined;
}

function meaningfulLines(text: string): Line[] | undefined {
  if (hasOddCharacters(text) || /^(?:---|\.\.\.|%)/m.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed !== "" && !trimmed.startsWith("#"))
      lines.push({ indent: line.length - line.trimStart().length, text: trimmed });
  }
  return lines;
}

/**
 * Tabs, other control characters, line separators or a byte order mark. A loop, because compiling a pattern of Unicode
 * classes takes several milliseconds.
 */
function hasOddCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (
      (code < 0x20 && code !== 0x0a) ||
      (code >= 0x7f && code < 0xa0) ||
      (code & 0xfffe) === 0x2028 ||
      code === 0xfeff
    )
      return true;
  }
  return false;
}

const maximumDepth = 16;

class PlainReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  /** The mapping or list whose lines are indented by exactly `indent`. */
  block(indent: number, depth: number): Setting | undefined {
    if (depth > maximumDepth) return undefined;
    return this.#isItem(indent) ? this.#list(indent, depth) : this.#mapping(indent, depth);
  }

  #isItem(indent: number): boolean {
    const line = this.#lines[this.#at];
    return line?.indent === indent && line.text.startsWith("- ");
  }

  #list(indent: number, depth: number): Setting | undefined {
    const items: Setting[] = [];
    while (this.#isItem(indent)) {
      const text = (this.#lines[this.#at]?.text ?? "").slice(2).trimStart();
      const item = entry.test(text) ? this.#itemMapping(indent, text, depth) : this.#scalarLine(text);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  /** `- key: value` begins a mapping; further keys align with the first. */
  #itemMapping(indent: number, text: string, depth: number): Setting | undefined {
    const line = this.#lines[this.#at] as Line;
    const inner = indent + line.text.length - text.length;
    this.#lines[this.#at] = { indent: inner, text };
    return this.block(inner, depth + 1);
  }

  #mapping(indent: number, depth: number): Setting | undefined {
    const result = new Map<string, Setting>();
    for (
      let line = this.#lines[this.#at];
      line?.indent === indent && !line.text.startsWith("- ");
      line = this.#lines[this.#at]
    ) {
      const found = entry.exec(line.text);
      if (!found || result.has(found[1] ?? "")) return undefined;
      const value = found[2] ? this.#scalarLine(found[2]) : this.#nested(indent, depth);
      if (value === undefined) return undefined;
      result.set(found[1] ?? "", value);
    }
    return result;
  }

  #nested(indent: number, depth: number): Setting | undefined {
    const next = this.#lines[++this.#at];
    if (next === undefined || next.indent < indent) return null;
    if (next.indent > indent || this.#isItem(indent)) return this.block(next.indent, depth + 1);
    return null;
  }

  /**
   * A deeper line below would continue the scalar. No block accepts such a line, so the reader then stops before the
   * end of the text.
   */
  #scalarLine(text: string): Setting | undefined {
    this.#at++;
    return scalar(text);
  }
}

function scalar(text: string): Setting | undefined {
  if (/^'[^']*'$/.test(text) || /^"[^"\\]*"$/.test(text)) return text.slice(1, -1);
  if (/^[-?:,[\]{}#&*!|>'"%@`]/.test(text) || /: | #|:$/.test(text)) return undefined;
  if (/^(?:0|-?[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  if (numberLike.test(text)) return undefined;
  return words.has(text) ? words.get(text) : text;
}
