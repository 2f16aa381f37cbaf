import { replay, type Held, type HeapEvents } from "./heap-events.ts";

/** Memory use of a process by address range and snapshot range. */
export interface HeapGrid {
  /** First address of each row, ascending; omits unused rows. */
  readonly addresses: Float64Array;
  /** Bytes per row. */
  readonly step: number;
  /** First snapshot of each column, ascending. */
  readonly snapshots: Float64Array;
  /** In use at the end of the column: cells[row * columns + column]. */
  readonly held: Float64Array;
  /** Number of allocations in the column that overlap the row. */
  readonly hits: Float64Array;
  /** Bytes in use at the end of the column. */
  readonly total: Float64Array;
}

/** A grid of at most `mostRows` × `mostColumns`; a row covers the least power of two, 16 Byte or more, that fits. */
export function heapGrid(events: HeapEvents, mostRows: number, mostColumns: number): HeapGrid {
  const step = stepOf(events, mostRows);
  const addresses = Float64Array.from(rowsOf(events, step, Number.POSITIVE_INFINITY) ?? []).sort();
  const snapshots = columnsOf(events, mostColumns);
  const cells = new Cells(addresses, step, snapshots);
  replay(
    events,
    (held) => cells.taken(held, events.snapshot[held.event] ?? 0),
    (held, event) => cells.given(held, events.snapshot[event] ?? 0),
  );
  cells.goTo(snapshots.length);
  return { addresses, step, snapshots, held: cells.held, hits: cells.hits, total: cells.total };
}

/** The cells of a grid, filled column by column. */
class Cells {
  readonly held: Float64Array;
  readonly hits: Float64Array;
  readonly total: Float64Array;
  readonly #step: number;
  readonly #snapshots: Float64Array;
  readonly #rows: ReadonlyMap<number, number>;
  /** Bytes in use in each row at the current event. */
  readonly #now: Float64Array;
  #bytes = 0;
  #column = 0;

  constructor(addresses: Float64Array, step: number, snapshots: Float64Array) {
    this.#step = step;
    this.#snapshots = snapshots;
    this.#rows = new Map(Array.from(addresses, (address, at) => [address, at]));
    this.#now = new Float64Array(addresses.length);
    this.held = new Float64Array(addresses.length * snapshots.length);
    this.hits = new Float64Array(addresses.length * snapshots.length);
    this.total = new Float64Array(snapshots.length);
  }

  taken(held: Held, snapshot: number): void {
    this.#reach(snapshot);
    this.#change(held, 1, (row) => (this.hits[row * this.#snapshots.length + this.#column]! += 1));
  }

  given(held: Held, snapshot: number): void {
    this.#reach(snapshot);
    this.#change(held, -1, () => {});
  }

  /** Completes the columns before this one. */
  goTo(column: number): void {
    for (; this.#column < column; this.#column++) {
      this.#now.forEach((bytes, row) => (this.held[row * this.#snapshots.length + this.#column] = bytes));
      this.total[this.#column] = this.#bytes;
    }
  }

  /** Events are in order: an event with an earlier snapshot counts in the current column. */
  #reach(snapshot: number): void {
    let column = this.#column;
    while (column + 1 < this.#snapshots.length && snapshot >= this.#snapshots[column + 1]!) column += 1;
    this.goTo(column);
  }

  #change({ address, bytes }: Held, sign: 1 | -1, each: (row: number) => void): void {
    this.#bytes += sign * bytes;
    for (
      let start = Math.floor(address / this.#step) * this.#step;
      start < address + Math.max(1, bytes);
      start += this.#step
    ) {
      const row = this.#rows.get(start)!;
      this.#now[row]! += sign * (Math.min(start + this.#step, address + bytes) - Math.max(start, address));
      each(row);
    }
  }
}

function stepOf(events: HeapEvents, mostRows: number): number {
  let step = 16;
  while (rowsOf(events, step, mostRows) === undefined) step *= 2;
  return step;
}

/** The first addresses of used rows; undefined if there are more than `most`. */
function rowsOf(events: HeapEvents, step: number, most: number): Set<number> | undefined {
  const rows = new Set<number>();
  for (let event = 0; event < events.address.length; event++) {
    const [address, bytes] = [events.address[event]!, events.amount[event]!];
    if (Number.isNaN(bytes)) continue;
    if (bytes / step > most) return undefined;
    for (let start = Math.floor(address / step) * step; start < address + Math.max(1, bytes); start += step)
      rows.add(start);
    if (rows.size > most) return undefined;
  }
  return rows;
}

function columnsOf({ snapshot }: HeapEvents, most: number): Float64Array {
  const [first, last] = [
    snapshot.reduce((least, each) => Math.min(least, each)),
    snapshot.reduce((greatest, each) => Math.max(greatest, each)),
  ];
  const width = Math.max(1, Math.ceil((last - first + 1) / most));
  return Float64Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, column) => first + column * width);
}
