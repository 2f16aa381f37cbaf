import type { ImportEvent } from "../importer.ts";

type Notice = Extract<ImportEvent, { kind: "notice" }>;

/** Tells each kind of notice once, and at the end how often it came again. */
export class Notices {
  readonly #told = new Map<string, { again: number; line: number }>();
  #waiting: Notice[] = [];

  report(kind: string, line: number, text: string): void {
    const before = this.#told.get(kind);
    if (before) {
      before.again += 1;
      before.line = line;
      return;
    }
    this.#told.set(kind, { again: 0, line });
    this.#waiting.push({ kind: "notice", line, text });
  }

  /** The input is over. */
  end(): void {
    for (const [kind, { again, line }] of this.#told) {
      if (again > 0) this.#waiting.push({ kind: "notice", line, text: `${kind}: ${again} more, the last one here` });
    }
    this.#told.clear();
  }

  take(): Notice[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
