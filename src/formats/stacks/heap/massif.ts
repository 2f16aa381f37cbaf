import { jsonObject, JsonNumber } from "../../../core/values/index.ts";
import { maxTraceDepth, type Frame } from "../../traces/index.ts";
import { damagedReport, type HeapReport, type HeapSite } from "./heap-report.ts";
import { textLineLists } from "../../text/index.ts";
import { ValgrindFrames } from "./valgrind-frame.ts";

/** Maximum depth of a tree (valgrind's `--depth`). */
const maxTreeDepth = 1000;

/**
 * Reads a file of valgrind's massif (https://valgrind.org/docs/manual/ms-manual.html, layout of valgrind 3.19): for
 * each snapshot the bytes on the heap (`total`) and, if it has a tree, by location (`heap`). Amounts below massif's
 * threshold are attributed to the caller. Fails with `heap-report-damaged`.
 */
export async function readMassif(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const reader = new MassifReader(file);
  for await (const lines of textLineLists(source)) for (const line of lines) reader.take(line);
  return reader.end();
}

/** The snapshot being read. */
interface Snapshot {
  readonly number: number;
  readonly fields: Map<string, number>;
  readonly sites: HeapSite[];
  /** The frames from the root to the last node. */
  readonly path: Frame[];
  /** Number of missing children by node on that path. */
  readonly open: number[];
}

class MassifReader {
  readonly #file: string;
  readonly #head = new Map<string, string>();
  readonly #sites: HeapSite[] = [];
  readonly #frames = new ValgrindFrames();
  #line = 0;
  #snapshot: Snapshot | undefined;
  #snapshots = 0;
  #peak: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  take(line: string): void {
    this.#line++;
    if (line === "" || line.startsWith("#")) return;
    const [, name = "", value = ""] = /^([a-zA-Z_]+)(?:=|: )(.*)$/s.exec(line) ?? [];
    if (name === "snapshot") this.#begin(value);
    else if (this.#snapshot === undefined) this.#takeHead(name, value);
    else if (/^ *n\d/.test(line)) this.#takeNode(this.#snapshot, line);
    else this.#takeField(this.#snapshot, name, value);
  }

  end(): HeapReport {
    this.#finish();
    if (this.#snapshots === 0) throw this.#damaged("it has no snapshot");
    const [cmd = "", unit = ""] = [this.#head.get("cmd"), this.#head.get("time_unit")];
    const peak = this.#peak === undefined ? {} : { peak: JsonNumber.integer(this.#peak) };
    return { tool: "massif", cmd, sites: this.#sites, params: jsonObject({ time_unit: unit, ...peak }) };
  }

  #takeHead(name: string, value: string): void {
    if (!["desc", "cmd", "time_unit"].includes(name)) throw this.#damaged("it does not start like a massif file");
    this.#head.set(name, value);
  }

  #begin(value: string): void {
    this.#finish();
    this.#snapshots++;
    this.#snapshot = { number: this.#number(value), fields: new Map(), sites: [], path: [], open: [] };
  }

  #takeField({ fields, number }: Snapshot, name: string, value: string): void {
    if (name === "heap_tree") {
      if (value === "peak") this.#peak = number;
      return;
    }
    if (!/^(?:time|mem_(?:heap|heap_extra|stacks)_B)$/.test(name)) throw this.#damaged("the field is unknown");
    fields.set(name, this.#number(value));
  }

  /**
   * `n2: 1000 0x1234: NAME (FILE:LINE)`: number of children, bytes, location. The first node is the root.
   */
  #takeNode({ path, open, sites, fields, number }: Snapshot, line: string): void {
    const [, indent = "", children = "", bytes = "", text = ""] = /^( *)n(\d{1,9}): (\d{1,15}) (.*)$/s.exec(line) ?? [];
    const depth = indent.length;
    if (children === "" || depth !== open.length || (depth === 0 && sites.length > 0))
      throw this.#damaged("the tree is invalid");
    const isLocation = depth > 0 && !/^in \d+ places?, /.test(text);
    if (depth > maxTreeDepth || (depth > 0 && !isLocation && children !== "0"))
      throw this.#damaged("the tree is invalid");
    if (isLocation) path.push(this.#frames.of(text));
    if (children === "0" && depth > 0) {
      const frames = path.slice(0, maxTraceDepth);
      const snapshot = { number, time: String(fields.get("time") ?? 0) };
      sites.push({ frames, subtype: "heap", snapshot, amounts: new Map([["amount", Number(bytes)]]) });
    }
    if (children === "0" && isLocation) path.pop();
    this.#descend(open, path, Number(children));
  }

  #descend(open: number[], path: Frame[], children: number): void {
    if (children > 0) open.push(children);
    else
      while (open.length > 0 && --open[open.length - 1]! === 0) {
        open.pop();
        path.pop();
      }
  }

  #finish(): void {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return;
    const { fields, number, open, sites } = snapshot;
    const [time, heap, extra, stacks] = ["time", "mem_heap_B", "mem_heap_extra_B", "mem_stacks_B"].map((name) =>
      fields.get(name),
    );
    if (time === undefined || heap === undefined || open.length > 0)
      throw this.#damaged(`snapshot ${number} is incomplete`);
    const amounts = new Map([
      ["amount", heap],
      ["extra", extra ?? 0],
      ["stacks", stacks ?? 0],
    ]);
    this.#sites.push({ frames: [heapFrame], subtype: "total", snapshot: { number, time: String(time) }, amounts });
    for (const site of sites) if ((site.amounts.get("amount") ?? 0) > 0) this.#sites.push(site);
  }

  #number(text: string): number {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw this.#damaged(`'${text.slice(0, 40)}' is not an integer`);
    return value;
  }

  #damaged(reason: string): Error {
    return damagedReport(this.#file, this.#line, reason);
  }
}

/** Represents the complete heap; it has a source so that rules treat it like a location of the program. */
const heapFrame: Frame = { function: "heap", source: "(all)", line: 0 };
