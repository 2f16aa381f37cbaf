import type { ImportEvent } from "../importer.ts";

type Notice = Extract<ImportEvent, { kind: "notice" }>;

/** Reports each kind of notice once and, at the end of the input, how often it was repeated. */
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
      if (again > 0)
        this.#waiting.push({ kind: "notice", line, text: `${kind}: ${again} more, the last one on this line` });
    }
    this.#reported.clear();
  }

  take(): Notice[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
