import type { Column, RowGroups } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** Limits of the remembered resource types: their number of profiles, and the bytes of their properties. */
const [mostProfiles, mostBytes] = [8, 16 << 20];

/** A resource type under construction. */
export interface ReadType {
  readonly id: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** The groups of the rows of a profile, and the columns of their properties. */
export interface ProfileTypes {
  readonly groups: RowGroups;
  readonly shared: readonly { readonly variable: Variable; readonly column: Column }[];
}

interface Remembered extends ProfileTypes {
  /** The bytes of the properties. */
  readonly bytes: Uint8Array;
  readonly types: readonly ReadType[];
}

/**
 * Remembers the resource types of profiles, which profiles of one configuration mostly have in common: their tables
 * share groups and columns, which callers may compare by identity.
 */
export class ProfileMemory {
  /** The newest first. */
  #known: readonly Remembered[] = [];

  /** The types of a profile with the properties at a position of `bytes`; undefined: not remembered. */
  find(bytes: Uint8Array, position: number, types: readonly ReadType[]): ProfileTypes | undefined {
    const isSame = (known: Remembered): boolean =>
      Buffer.compare(known.bytes, bytes.subarray(position, position + known.bytes.length)) === 0 &&
      known.types.length === types.length &&
      known.types.every((type, at) => isSameType(type, types[at] as ReadType));
    const found = this.#known.find(isSame);
    if (found !== undefined && found !== this.#known[0])
      this.#known = [found, ...this.#known.filter((known) => known !== found)];
    return found;
  }

  /** `bytes`: those of the properties. */
  add(bytes: Uint8Array, types: readonly ReadType[], made: ProfileTypes): void {
    let free = mostBytes - bytes.length;
    if (free < 0) return;
    const kept = this.#known.slice(0, mostProfiles - 1).filter((known) => (free -= known.bytes.length) >= 0);
    this.#known = [{ bytes: bytes.slice(), types, ...made }, ...kept];
  }
}

function isSameType(a: ReadType, b: ReadType): boolean {
  return (
    a.id === b.id &&
    a.rows === b.rows &&
    a.columns.length === b.columns.length &&
    a.columns.every((name, at) => name === b.columns[at])
  );
}
