import type { Failure } from "../../../core/failures/failure.ts";
import { jsonObject } from "../../../core/values/json.ts";
import { readJsonStream, type JsonStream } from "../../json/json-stream.ts";
import type { Frame } from "../../traces/call-trace.ts";
import { DhatPoints } from "./dhat-points.ts";
import { damagedReport, type HeapReport } from "./heap-report.ts";
import { valgrindFrame } from "./valgrind-frame.ts";

/**
 * Reads what valgrind's DHAT writes (https://valgrind.org/docs/manual/dh-manual.html, file version 2 of valgrind 3.17
 * and later): the bytes and blocks that each place allocated in the whole run. Of places the numbers are kept, their
 * stacks once each. Fails with `heap-report-damaged`.
 */
export async function readDhat(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const damaged = (reason: string): Failure => damagedReport(file, 1, reason);
  const reader = new DhatReader(damaged);
  await readJsonStream(source, damaged, (json) => json.members("the document", (key) => reader.take(key, json)));
  return reader.end();
}

class DhatReader {
  readonly #damaged: (reason: string) => Failure;
  readonly #told = new Map<string, unknown>();
  #points: DhatPoints | undefined;
  #frames: Frame[] | undefined;

  constructor(damaged: (reason: string) => Failure) {
    this.#damaged = damaged;
  }

  /** Reads over the member that comes next. */
  async take(key: string, json: JsonStream): Promise<void> {
    if (key === "pps") {
      const points = (this.#points = new DhatPoints(this.#damaged));
      await json.elements("its list of program points", (values) => points.take(values));
    } else if (key === "ftbl") {
      const frames: Frame[] = (this.#frames = []);
      await json.elements("its table of frames", (texts) => texts.forEach((text) => frames.push(this.#frame(text))));
    } else if (["dhatFileVersion", "mode", "tu", "cmd", "pid"].includes(key)) this.#told.set(key, await json.value());
    else await json.skip();
  }

  end(): HeapReport {
    const [version, process] = [this.#told.get("dhatFileVersion"), this.#told.get("pid")];
    if (typeof version !== "number") throw this.#damaged("it is not a report of DHAT");
    if (version !== 2) throw this.#damaged(`it is of version ${version}, not 2`);
    if (this.#points === undefined || this.#frames === undefined) throw this.#damaged("it has no program points");
    const subtype = this.#text("mode") === "" ? "heap" : this.#text("mode");
    return {
      tool: "dhat",
      cmd: this.#text("cmd"),
      ...(typeof process === "number" && Number.isSafeInteger(process) && process >= 0 ? { process } : {}),
      sites: this.#points.sites(this.#frames, subtype),
      params: jsonObject({ mode: subtype, time_unit: this.#text("tu") }),
    };
  }

  #frame(text: unknown): Frame {
    if (typeof text !== "string") throw this.#damaged("its table of frames holds what is no text");
    return valgrindFrame(text);
  }

  #text(name: string): string {
    const told = this.#told.get(name);
    return typeof told === "string" ? told : "";
  }
}
