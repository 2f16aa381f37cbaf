import type { Value } from "../../../core/values/index.ts";
import { JsonLocation } from "../../../formats/json/index.ts";
import { logImporter, numbersOf, wordsOf, type LogReader, type LogResults, type Parameters } from "../log-importer.ts";

const milliseconds = 1e3;
const nanoseconds = 1e9;

/** Settings that a submission logs before its run, and that identify it. */
const settings = [
  "submission_benchmark",
  "submission_org",
  "submission_division",
  "submission_platform",
  "global_batch_size",
  "seed",
  "train_samples",
  "eval_samples",
  "number_of_nodes",
  "accelerators_per_node",
];

/** MLPerf: `:::MLLOG` lines of training and HPC (mlperf_logging 0.7 to 5), and of the load generator of inference. */
export const mlperf = logImporter({
  name: "mlperf",
  synopsis: "MLPerf logs (training, HPC, inference)",
  marks: 'lines `:::MLLOG {"namespace": …, "event_type": …, "key": …, "value": …}`',
  metrics: [
    { name: "time_to_train", unit: "s", better: "lower" },
    { name: "time_to_init", unit: "s", better: "lower" },
    { name: "eval_accuracy" },
    { name: "throughput", unit: "1/s", better: "higher" },
    { name: "samples_per_second", unit: "1/s", better: "higher" },
  ],
  sure: 0.96,
  reader: (results) => new MlperfReader(results),
});

class MlperfReader implements LogReader {
  readonly #results: LogResults;
  #settings = new Map<string, Value>();
  #initStart = Number.NaN;
  #runStart = Number.NaN;
  #timeToInit = Number.NaN;
  #accuracy = Number.NaN;
  #inference = new Map<string, number>();

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const at = text.indexOf(":::MLLOG ");
    if (at < 0) return;
    const event = JsonLocation.within(text.slice(at + 9).trim(), "");
    const key = event?.maybe("key")?.scalar;
    if (event === undefined || typeof key !== "string") {
      this.#results.warn(isCut ? "skipped an incomplete line" : "skipped a line that is not JSON with a key");
      return;
    }
    this.#event(key, event, (event.numberIn("time_ms") ?? Number.NaN) / milliseconds);
  }

  end(): void {
    if (!Number.isNaN(this.#runStart)) this.#results.warn("a run has no run_stop: its time is unknown");
    this.#endInference();
    [this.#runStart, this.#accuracy] = [Number.NaN, Number.NaN];
  }

  #event(key: string, event: JsonLocation, time: number): void {
    const value = event.maybe("value")?.scalar;
    if (settings.includes(key) && value !== undefined) this.#settings.set(key, value);
    else if (key === "init_start") this.#initStart = time;
    else if (key === "run_start") {
      this.end();
      [this.#runStart, this.#timeToInit] = [time, time - this.#initStart];
    } else if (key === "run_stop") this.#stop(event, time);
    else if (key === "eval_accuracy") this.#accuracyAt(event);
    else if (key === "throughput" || key === "tracked_stats") this.#throughput(event);
    else if (key.startsWith("result_")) this.#result(key, value);
    else if (/^effective_(?:scenario|test_mode)$/.test(key) && value !== undefined) {
      if (this.#settings.has(key.slice(10))) this.#endInference();
      this.#settings.set(key.slice(10), value);
    }
  }

  get #benchmark(): string {
    return String(this.#settings.get("submission_benchmark") ?? "mlperf");
  }

  get #parameters(): [string, Value][] {
    return [...this.#settings].filter(([name]) => name !== "submission_benchmark");
  }

  #stop(event: JsonLocation, time: number): void {
    const status = event.maybe("metadata")?.maybe("status")?.scalar;
    const duration = time - this.#runStart;
    if (Number.isNaN(this.#runStart)) this.#results.warn("a run_stop has no run_start");
    else if (status !== undefined && status !== "success")
      this.#results.warn(`skipped a run with status ${String(status)}`);
    else if (!(duration >= 0)) this.#results.warn("a run_stop has no time, or one before its run_start");
    else {
      this.#results.add(
        this.#benchmark,
        [
          ["time_to_train", duration],
          ["time_to_init", this.#timeToInit],
          ["eval_accuracy", this.#accuracy],
        ],
        this.#parameters,
      );
    }
    [this.#runStart, this.#initStart, this.#accuracy] = [Number.NaN, Number.NaN, Number.NaN];
  }

  #accuracyAt(event: JsonLocation): void {
    const accuracy = event.numberIn("value");
    if (accuracy === undefined) return;
    this.#accuracy = accuracy;
    this.#results.add("eval_accuracy", [["eval_accuracy", accuracy]], [...this.#parameters, ...positionOf(event)]);
  }

  #throughput(event: JsonLocation): void {
    const rate = event.numberIn("value") ?? event.maybe("value")?.numberIn("throughput");
    if (rate !== undefined)
      this.#results.add("throughput", [["throughput", rate]], [...this.#parameters, ...positionOf(event)]);
  }

  /** `result_99.00_percentile_latency_ns`, `result_samples_per_second`, `result_validity` of the load generator. */
  #result(key: string, value: Value | undefined): void {
    const name = key.slice("result_".length);
    if (name === "validity" && value !== undefined) this.#settings.set("validity", value);
    if (typeof value !== "number") return;
    const [, percentile] = /^(\d{1,3}\.\d{1,4})_percentile_latency_ns$/.exec(name) ?? [];
    const isTime = name.endsWith("_ns");
    const plain =
      percentile === undefined
        ? name.replace(/^(min|max|mean)_latency_ns$/, "latency_$1").replace(/_ns$/, "")
        : `latency_p${percentile.replace(/\.?0+$/, "").replace(".", "")}`;
    const isRate = /_per_sec(?:ond)?$/.test(name);
    if (isTime) this.#results.metric({ name: plain, unit: "s", better: "lower" });
    else this.#results.metric(isRate ? { name: plain, unit: "1/s", better: "higher" } : { name: plain });
    this.#inference.set(plain, isTime ? value / nanoseconds : value);
  }

  #endInference(): void {
    if (this.#inference.size === 0) return;
    this.#results.add(this.#benchmark, this.#inference, this.#parameters);
    this.#inference = new Map();
    for (const name of ["scenario", "test_mode", "validity"]) this.#settings.delete(name);
  }
}

/** The epoch, step or sample after which the value was measured. */
function positionOf(event: JsonLocation): [string, Value][] {
  const metadata = event.maybe("metadata");
  return ["epoch_num", "epoch_count", "step_num", "samples_count"].flatMap((name): [string, Value][] => {
    const value = metadata?.numberIn(name);
    return value === undefined ? [] : [[name, value]];
  });
}

/** Extra-P 2 to 4: its text input, and JSON Lines. */
export const extraP = logImporter({
  name: "extra-p",
  synopsis: "Extra-P (text input, JSON Lines)",
  marks: 'lines `PARAMETER`, `POINTS`, `METRIC`, `DATA`; or JSON lines with "params" and "value"',
  metrics: [],
  reader: (results) => new ExtraPReader(results),
});

/** Repetitions at one point: the n-th values of all metrics are a row. */
interface Repetitions {
  readonly benchmark: string;
  readonly parameters: Parameters;
  readonly rows: Map<string, number>[];
  readonly counts: Map<string, number>;
}

class ExtraPReader implements LogReader {
  readonly #results: LogResults;
  readonly #repetitions = new Map<string, Repetitions>();
  #parameters: string[] = [];
  #points: (readonly number[])[] = [];
  #region = "";
  #metric = "";
  /** Lines of data of this region and metric. */
  #count = 0;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const line = text.trim();
    if (line.startsWith("{")) return this.#object(line, isCut);
    const [, word = "", rest = ""] = /^(PARAMETERS?|POINTS?|REGION|METRIC|DATA)\s+(\S.*)$/.exec(line) ?? [];
    if (word.startsWith("PARAMETER")) this.#declare(rest);
    else if (this.#parameters.length === 0) return;
    else if (word.startsWith("POINT")) this.#addPoints(rest, isCut);
    else if (word === "REGION") [this.#region, this.#count] = [this.#endOf(rest), 0];
    else if (word === "METRIC") [this.#metric, this.#count] = [this.#endOf(rest), 0];
    else if (word === "DATA") this.#data(rest, isCut);
  }

  end(): void {
    this.#endOf("");
    for (const { benchmark, parameters, rows } of this.#repetitions.values())
      for (const values of rows) this.#results.add(benchmark, values, parameters);
  }

  /** A parameter after the data begins another experiment. */
  #declare(names: string): void {
    if (this.#points.length > 0) {
      this.#endOf("");
      [this.#parameters, this.#points, this.#region, this.#metric, this.#count] = [[], [], "", "", 0];
    }
    this.#parameters.push(...wordsOf(names));
  }

  #addPoints(text: string, isCut: boolean): void {
    const size = this.#parameters.length;
    const numbers = numbersOf(wordsOf(text.replaceAll(/[(),]/g, " ")));
    if (isCut || numbers?.every(Number.isFinite) !== true || numbers.length % size > 0)
      return this.#results.warn("skipped points that do not fit the parameters");
    for (let at = 0; at < numbers.length; at += size) this.#points.push(numbers.slice(at, at + size));
  }

  #data(text: string, isCut: boolean): void {
    const [point, numbers] = [this.#points[this.#count++], isCut ? undefined : numbersOf(wordsOf(text))];
    if (isCut) return this.#results.warn("skipped an incomplete row");
    if (point === undefined || numbers === undefined)
      return this.#results.warn("skipped data without a point or with words that are not numbers");
    const parameters = this.#parameters.map((name, at) => [name, point[at]!] as const);
    for (const number of numbers) this.#add(this.#region, parameters, this.#metric, number);
  }

  #add(
    region: string,
    parameters: readonly (readonly [string, Value | undefined])[],
    name: string,
    value: number,
  ): void {
    const metric = name || "value";
    const benchmark = region || metric;
    const key = JSON.stringify([benchmark, parameters]);
    const own = this.#repetitions.get(key) ?? { benchmark, parameters, rows: [], counts: new Map<string, number>() };
    const count = own.counts.get(metric) ?? 0;
    const row = own.rows[count] ?? new Map<string, number>();
    own.rows[count] = row.set(metric, value);
    own.counts.set(metric, count + 1);
    this.#repetitions.set(key, own);
    this.#results.metric({ name: metric });
  }

  /** Reports missing data at the end of a region or metric. */
  #endOf(next: string): string {
    if (this.#count > 0 && this.#count < this.#points.length)
      this.#results.warn("a region has fewer lines of data than there are points");
    return next;
  }

  /** `{"params": {"x": 20}, "callpath": "main->solve", "metric": "time", "value": 1.5}`. */
  #object(line: string, isCut: boolean): void {
    const object = JsonLocation.within(line, "");
    const [params, value] = [object?.maybe("params"), object?.maybe("value")?.scalar];
    if (params?.isObject !== true || typeof value !== "number") {
      if (/^\{\s{0,9}"params"\s{0,9}:/.test(line))
        this.#results.warn(isCut ? "skipped an incomplete row" : "skipped a line without parameters or a number");
      return;
    }
    const parameters = params.members().map(([name, { scalar }]): [string, Value | undefined] => [name, scalar]);
    this.#add(textOf(object?.maybe("callpath")), parameters, textOf(object?.maybe("metric")), value);
  }
}

function textOf(location: JsonLocation | undefined): string {
  const scalar = location?.scalar;
  return typeof scalar === "string" ? scalar : "";
}
