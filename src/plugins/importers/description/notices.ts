import { formatValue } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { ImportEvent } from "../importer.ts";
import { LineRanges } from "./line-ranges.ts";
import type { OtherValues } from "./finders/finder.ts";

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

  /** Reports another value of a variable in the line, and why the first one may be wrong. */
  reportDoubts(slot: OtherValues & { readonly variable: Variable }, line: number): void {
    const { second, doubt, variable } = slot;
    if (doubt !== undefined) this.report(`doubt about '${variable.name}'`, line, doubt);
    slot.doubt = undefined;
    if (second === undefined) return;
    slot.second = undefined;
    const text = `${variable.name} = ${formatValue(second, variable.type).slice(0, 40)}`;
    this.report(`'${variable.name}' again in its line`, line, `'${text}' again in this line: the first value counts`);
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
