import type { AnswerCache } from "./answer-cache.ts";

/** How many items the blocks of each size have. */
const sizes = [64, 8, 1] as const;

/** What is made of items, and kept. */
export interface BlockMaker<Item, Block> {
  /** Of all that a block depends on: the same for the same content only. */
  key(items: readonly Item[]): string;
  one(item: Item): Block;
  joined(blocks: readonly Block[]): Block;
  /** Bytes that a block takes, roughly. */
  size(block: Block): number;
}

/**
 * What is read of a list that mostly grows at its end: as blocks of 64 items, then of 8, then of single ones, each kept
 * by the content of its items. When an item is added only that one is read, and now and then a few blocks are joined.
 * Where there is no room for all blocks, those of the end are made anew each time.
 */
export class KeptBlocks<Item, Block> {
  readonly #cache: AnswerCache;
  readonly #now: number;
  readonly #maker: BlockMaker<Item, Block>;
  /** Bytes that may still be kept: blocks of one list are not to push out each other. */
  #room: number;

  /** `now`: seconds since 1970. */
  constructor(cache: AnswerCache, now: number, maker: BlockMaker<Item, Block>) {
    [this.#cache, this.#now, this.#maker, this.#room] = [cache, now, maker, cache.room];
  }

  /** Blocks of all items in their order. */
  of(items: readonly Item[]): Block[] {
    const blocks: Block[] = [];
    let from = 0;
    for (const [level, size] of sizes.entries())
      for (; from + size <= items.length; from += size) blocks.push(this.#kept(items.slice(from, from + size), level));
    return blocks;
  }

  /** A block that is too large to be kept is kept in parts. */
  #kept(items: readonly Item[], level: number): Block {
    const known = this.#find(items);
    if (known !== undefined) return known;
    const parts = this.#parts(items, level);
    const block = this.#made(items, parts);
    if (!this.#put(items, block)) for (const part of parts) this.#put(part.items, part.block);
    return block;
  }

  #parts(items: readonly Item[], level: number): { readonly items: readonly Item[]; readonly block: Block }[] {
    const size = sizes[level + 1];
    if (size === undefined) return [];
    return Array.from({ length: items.length / size }, (_, at) => {
      const own = items.slice(at * size, (at + 1) * size);
      return { items: own, block: this.#find(own) ?? this.#made(own, this.#parts(own, level + 1)) };
    });
  }

  #made(items: readonly Item[], parts: readonly { readonly block: Block }[]): Block {
    return parts.length === 0 ? this.#maker.one(items[0] as Item) : this.#maker.joined(parts.map(({ block }) => block));
  }

  #find(items: readonly Item[]): Block | undefined {
    const found = this.#cache.get(this.#maker.key(items), this.#now) as Block | undefined;
    if (found !== undefined) this.#room -= this.#maker.size(found);
    return found;
  }

  #put(items: readonly Item[], block: Block): boolean {
    const size = this.#maker.size(block);
    if (size > this.#room || !this.#cache.put(this.#maker.key(items), block)) return false;
    this.#room -= size;
    return true;
  }
}
