import type { ArchiveOptions, InputFile } from "./input-files.ts";
import type { ImportOptions } from "./options.ts";

/**
 * Unread bytes at which the database is opened, bytes: reading them takes longer than opening it, and goes on while
 * rows are written.
 */
const maxUnreadWhenOpening = 4 * 1024 * 1024;

/** Counts the bytes of an import that are read. */
export class ReadingProgress {
  /** Resolved when so little is left to read that the database may be opened. */
  readonly nearlyRead: Promise<void>;
  readonly #total: number;
  readonly #options: Pick<ImportOptions, "progress" | "streamLimit">;
  readonly #check: () => void;
  #reportNearlyRead: () => void = () => {};
  #read = 0;

  /** `check`: called often; may fail to end the reading. */
  constructor(
    files: readonly InputFile[],
    options: Pick<ImportOptions, "progress" | "streamLimit">,
    check: () => void,
  ) {
    this.#total = files.reduce((sum, { size }) => sum + (size ?? Number.NaN), 0);
    this.#options = options;
    this.#check = check;
    this.nearlyRead = new Promise((resolve) => (this.#reportNearlyRead = resolve));
  }

  archiveOptions(): Omit<ArchiveOptions, "objects"> {
    const { streamLimit: maxStreamBytes = 16 * 2 ** 30 } = this.#options;
    return { maxStreamBytes, onBytes: (bytes) => this.#onBytes(bytes) };
  }

  #onBytes(bytes: number): void {
    this.#check();
    this.#read += bytes;
    this.#options.progress?.(this.#read, Number.isNaN(this.#total) ? undefined : this.#total);
    if (this.#total - this.#read <= maxUnreadWhenOpening) this.#reportNearlyRead();
  }
}
