import type { Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportEvent } from "../../plugins/importers/importer.ts";

/** Rows held until the experiment is known, bytes, in all reports together; larger files are read twice. */
const mostBytes = 2 ** 28;

/** Rows held of a report whose other rows are read while these are stored, bytes. */
const mostBytesBeforePause = 2 ** 24;

/** The memory of held rows. */
export class HeldMemory {
  bytes = 0;
  readonly most: number;

  constructor(most = mostBytes) {
    this.most = most;
  }
}

export interface HoldOptions {
  readonly memory: HeldMemory;
  /** All variables come before the first row, so that a report need not be read to its end. */
  readonly declaresFirst: boolean;
  /** Whether `events` may go on reading the report. */
  readonly mayPause: boolean;
}

export interface HeldEvents {
  readonly declared: readonly Variable[];
  /** Commits named in the report. */
  readonly commits: readonly string[];
  /** All events, once; absent if there were too many to hold. */
  readonly events?: Iterable<ImportEvent> | AsyncIterable<ImportEvent>;
  /** Whether `events` goes on reading the report. */
  readonly isPaused: boolean;
}

/** Holds the events of a report until the variables of all reports are known. Fails like `events`. */
export async function holdEvents(events: AsyncGenerator<ImportEvent>, options: HoldOptions): Promise<HeldEvents> {
  const { memory, declaresFirst, mayPause } = options;
  const [declared, commits]: [Variable[], string[]] = [[], []];
  const held = new HeldRows(memory);
  for (let step = await events.next(); step.done !== true; step = await events.next()) {
    const event = step.value;
    if (event.kind === "declare") declared.push(...event.variables);
    if (event.kind === "about" && event.commit !== undefined) commits.push(event.commit);
    held.add(event);
    if (!declaresFirst || event.kind !== "rows") continue;
    if (mayPause && held.bytes > mostBytesBeforePause)
      return { declared, commits, events: continued(held, events), isPaused: true };
    if (held.isFull) break;
  }
  await events.return(undefined);
  return { declared, commits, ...(held.isFull ? {} : { events: held.released() }), isPaused: false };
}

async function* continued(held: HeldRows, events: AsyncGenerator<ImportEvent>): AsyncGenerator<ImportEvent> {
  yield* held.released();
  yield* events;
}

/** Events in memory, which are dropped once they take more than is left. */
class HeldRows {
  bytes = 0;
  isFull = false;
  readonly #memory: HeldMemory;
  /** Buffers that several tables may share. */
  readonly #buffers = new Set<ArrayBufferLike>();
  #events: (ImportEvent | undefined)[] = [];

  constructor(memory: HeldMemory) {
    this.#memory = memory;
  }

  add(event: ImportEvent): void {
    if (this.isFull) return;
    if (event.kind === "rows") this.#count(event.table);
    this.#events.push(event);
    if (this.#memory.bytes <= this.#memory.most) return;
    this.isFull = true;
    this.#forget();
  }

  /** The events, which are released as they are read. */
  *released(): Generator<ImportEvent> {
    const events = this.#events;
    this.#forget();
    for (let at = 0; at < events.length; at++) {
      const event = events[at] as ImportEvent;
      events[at] = undefined;
      yield event;
    }
  }

  #forget(): void {
    this.#memory.bytes -= this.bytes;
    this.#buffers.clear();
    this.#events = [];
  }

  #count({ columns }: Table): void {
    for (const column of columns) {
      this.#countBuffer(column.kind === "number" ? column.values : column.codes);
      if (column.kind === "number" && column.missing !== null) this.#countBuffer(column.missing);
    }
  }

  #countBuffer({ buffer }: ArrayBufferView): void {
    if (this.#buffers.has(buffer)) return;
    this.#buffers.add(buffer);
    this.bytes += buffer.byteLength;
    this.#memory.bytes += buffer.byteLength;
  }
}
