import type { ImportEvent } from "../importer.ts";

type Notice = Extract<ImportEvent, { kind: "notice" }>;

/** Tells each kind of notice once, and at the end how often it came again. */
export class Notices {
  readonly #reported = new Map<string, { again: number; line: number }>();
  #waiting: Notice[] = [];

  report(kind: string, line: number, text: string): void {
    const before = this.#reported.get(kind);
    if (before) {
      before.again += 1;
      before.line = line;
      return;
    }
    this.#reported.set(kind, { again: 0, line });
    this.#waiting.push({ kind: "notice", line, text });
  }

  /** The input is over. */
  end(): void {
    for (const [kind, { again, line }] of this.#reported) {
      if (again > 0) this.#waiting.push({ kind: "notice", line, text: `${kind}: ${again} more, the last one here` });
    }
    this.#reported.clear();
  }

  take(): Notice[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
