import { hexOf } from "./perf-bytes.ts";
import { CodeSymbols, type CodeSymbol } from "./symbols.ts";

/** What is known of a program or library. */
export interface ElfFile {
  /** In hexadecimal; empty: it has none. */
  readonly buildId: string;
  /** The function at an offset in the file; null if none is known. */
  nameAt(offset: number): string | null;
}

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

interface Section extends Segment {
  readonly link: number;
  readonly isCode: boolean;
}

const [loaded, note] = [1, 4];
const [symbolTable, dynamicSymbols, noteSection] = [2, 11, 7];
const symbolSize = 24;

/**
 * Reads a 64-bit little-endian ELF file (System V ABI): its build id and the functions of `.symtab`, else of
 * `.dynsym`. Null for other and damaged files.
 */
export function readElf(bytes: Uint8Array): ElfFile | null {
  if (bytes.length < 64 || [0x7f, 0x45, 0x4c, 0x46, 2, 1].some((byte, at) => bytes[at] !== byte)) return null;
  try {
    return new ElfReader(bytes).read();
  } catch (error) {
    // DataView checks all offsets.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

class ElfReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): ElfFile {
    const view = this.#view;
    const table = <Part>(at: number, size: number, read: (at: number) => Part): Part[] =>
      Array.from({ length: view.getUint16(size + 2, true) }, (_, index) =>
        read(this.#word(at) + index * view.getUint16(size, true)),
      );
    const segments = table(32, 54, (at) => this.#segment(at));
    const sections = table(40, 58, (at) => this.#section(at));
    const notes = [
      ...segments.filter(({ type }) => type === note),
      ...sections.filter((each) => each.type === noteSection),
    ];
    let symbols: CodeSymbols | null = null;
    return {
      buildId:
        notes
          .map((each) => buildIdIn(this.#bytes.subarray(each.offset, each.offset + each.size)))
          .find((id) => id !== "") ?? "",
      nameAt: (offset) => {
        const segment = segments.find((each) => each.type === loaded && covers(each, offset));
        if (segment === undefined) return null;
        symbols ??= this.#symbolsOrNone(sections);
        return symbols.nameAt(offset - segment.offset + segment.address);
      },
    };
  }

  #word(at: number): number {
    return Number(this.#view.getBigUint64(at, true));
  }

  #segment(at: number): Segment {
    const type = this.#view.getUint32(at, true);
    return { type, offset: this.#word(at + 8), address: this.#word(at + 16), size: this.#word(at + 32) };
  }

  #section(at: number): Section {
    const [type, link] = [this.#view.getUint32(at + 4, true), this.#view.getUint32(at + 40, true)];
    const isCode = (this.#view.getUint32(at + 8, true) & 4) !== 0;
    return { type, link, isCode, address: this.#word(at + 16), offset: this.#word(at + 24), size: this.#word(at + 32) };
  }

  #symbolsOrNone(sections: readonly Section[]): CodeSymbols {
    try {
      return this.#symbols(sections);
    } catch (error) {
      if (error instanceof RangeError) return new CodeSymbols([]);
      throw error;
    }
  }

  #symbols(sections: readonly Section[]): CodeSymbols {
    const table = [symbolTable, dynamicSymbols]
      .map((type) => sections.find((each) => each.type === type && each.size >= 2 * symbolSize))
      .find((each) => each !== undefined);
    const names = table === undefined ? undefined : sections[table.link];
    if (table === undefined || names === undefined) return new CodeSymbols([]);
    const symbols: CodeSymbol[] = [];
    for (let at = table.offset; at + symbolSize <= table.offset + table.size; at += symbolSize) {
      const symbol = this.#symbol(at, names, sections);
      if (symbol !== null) symbols.push(symbol);
    }
    return new CodeSymbols(symbols);
  }

  /** A function, also indirect ones and labels of assembler; null for other symbols. */
  #symbol(at: number, names: Section, sections: readonly Section[]): CodeSymbol | null {
    const view = this.#view;
    const info = view.getUint8(at + 4);
    const [type, binding, section] = [info & 15, info >> 4, view.getUint16(at + 6, true)];
    if (section === 0 || sections[section]?.isCode !== true || ![0, 2, 10].includes(type)) return null;
    const name = this.#name(names.offset + view.getUint32(at, true));
    if (name === "" || (type === 0 && name.startsWith("$"))) return null;
    const start = this.#word(at + 8);
    return { name, start, end: start + this.#word(at + 16), isWeak: binding === 2, isGlobal: binding === 1 };
  }

  #name(at: number): string {
    // No compiler writes longer names than this.
    const bytes = this.#bytes.subarray(at, at + 16384);
    const end = bytes.indexOf(0);
    return end < 0 ? "" : new TextDecoder().decode(bytes.subarray(0, end));
  }
}

/** The build id in ELF notes, in hexadecimal; empty if they have none. */
export function buildIdIn(notes: Uint8Array): string {
  const view = new DataView(notes.buffer, notes.byteOffset, notes.byteLength);
  for (let at = 0; at + 16 <= notes.length;) {
    const [nameSize, idSize, type] = [0, 4, 8].map((each) => view.getUint32(at + each, true));
    const id = at + 12 + padded(nameSize!);
    if (type === 3 && nameSize === 4 && view.getUint32(at + 12, true) === 0x554e47)
      return hexOf(notes.subarray(id, id + Math.min(idSize!, 20)));
    at = id + padded(idSize!);
  }
  return "";
}

function covers({ offset, size }: Segment, at: number): boolean {
  return at >= offset && at < offset + size;
}

function padded(size: number): number {
  return Math.ceil(size / 4) * 4;
}
