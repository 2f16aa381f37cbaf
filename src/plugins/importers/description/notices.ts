import type { ImportEvent } from "../importer.ts";
import { LineRanges } from "./line-ranges.ts";

type Notice = Extract<ImportEvent, { kind: "notice" }>;

interface Reported {
  times: number;
  /** Lines of those that were not reported one by one. */
  readonly more: LineRanges;
  repeated: number;
}

/** Reports each kind of notice at most a few times and, at the end of the input, on which lines it was repeated. */
export class Notices {
  readonly #reported = new Map<string, Reported>();
  #waiting: Notice[] = [];

  /** `most`: how often the kind is reported in full. */
  report(kind: string, line: number, text: string, most = 1): void {
    const reported = this.#reported.get(kind) ?? { times: 0, more: new LineRanges(), repeated: 0 };
    this.#reported.set(kind, reported);
    reported.times += 1;
    if (reported.times <= most) this.#waiting.push({ kind: "notice", line, text });
    else {
      reported.repeated += 1;
      reported.more.add(line);
    }
  }

  /** The input is over. */
  end(): void {
    for (const [kind, { more, repeated }] of this.#reported) {
      if (repeated > 0)
        this.#waiting.push({ kind: "notice", line: more.last, text: `${kind}: ${repeated} more, on ${linesOf(more)}` });
    }
    this.#reported.clear();
  }

  take(): Notice[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

function linesOf(lines: LineRanges): string {
  return `${lines.count === 1 ? "line" : "lines"} ${lines}`;
}
