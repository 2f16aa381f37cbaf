import type { ReportMetric } from "../../../core/measurements/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { logImporter, numbersOf, wordsOf, type LogReader, type LogResults } from "../log-importer.ts";

const seconds = ["real_time", "usr_time", "sys_time"].map((name): ReportMetric => ({
  name,
  unit: "s",
  synopsis: "of a stressor, which runs until its time is over",
}));

/** Columns of the table, and those of the second one that newer versions add. */
const columns = ["bogo_ops", "real_time", "usr_time", "sys_time", "bogo_ops_per_s", "bogo_ops_per_s_cpu"];
const moreColumns = [
  ["CPU used per", "cpu_used_per_instance"],
  ["RSS Max", "rss_max"],
] as const;

/** Members of the list `metrics` of `--yaml`. */
const yamlNames: ReadonlyMap<string, string> = new Map([
  ["bogo-ops", "bogo_ops"],
  ["wall-clock-time", "real_time"],
  ["user-time", "usr_time"],
  ["system-time", "sys_time"],
  ["bogo-ops-per-second-real-time", "bogo_ops_per_s"],
  ["bogo-ops-per-second-usr-sys-time", "bogo_ops_per_s_cpu"],
  ["cpu-usage-per-instance", "cpu_used_per_instance"],
  ["max-rss", "rss_max"],
]);

/** stress-ng 0.03 to 0.19: `--metrics-brief`, `--metrics`, and the file of `--yaml`. */
export const stressNg = logImporter({
  name: "stress-ng",
  synopsis: "stress-ng --metrics-brief, --metrics, --yaml",
  marks: "a header `stressor  bogo ops real time …`, or YAML with `- stressor:`, `bogo-ops:`",
  metrics: [
    { name: "bogo_ops_per_s", unit: "1/s", better: "higher", synopsis: "per second of real time" },
    { name: "bogo_ops_per_s_cpu", unit: "1/s", better: "higher", synopsis: "per second of user and system time" },
    { name: "bogo_ops" },
    ...seconds,
    { name: "cpu_used_per_instance", unit: "%" },
    { name: "rss_max", unit: "Byte", better: "lower" },
  ],
  reader: (results) => new StressReader(results),
});

/** `stress-ng: metrc: [123] …`; a time stands before the level with `--timestamp`, and `--log-brief` omits it all. */
const prefix = /^(?:stress-ng: (?:[\d:.]{5,20} )?[a-z]{4,6}: {1,2}\[\d{1,9}\] )/;

class StressReader implements LogReader {
  readonly #results: LogResults;
  #stressors = new Map<string, Map<string, number>>();
  #columns: readonly string[] | undefined;
  #yaml: { readonly stressor: string; readonly values: Map<string, number> } | undefined;
  #isMiscellaneous = false;
  #length = 0;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(raw: string, isCut: boolean): void {
    const text = raw.replace(prefix, "");
    const [, version] = /^\s{1,20}stress-ng-version: '?(\d[\w.]{0,20})/.exec(text) ?? [];
    if (version !== undefined) this.#results.fact("stress-ng", version);
    if (/^stressor\s{1,40}bogo ops\s{1,9}real time\s/.test(text)) this.#head(text);
    else if (text.startsWith("miscellaneous metrics:")) [this.#columns, this.#isMiscellaneous] = [undefined, true];
    else if (this.#isMiscellaneous && text !== raw) this.#miscellaneous(text, isCut);
    else if (this.#columns !== undefined && text.trim() !== "") this.#row(text, isCut);
    else this.#member(text, isCut);
  }

  end(): void {
    this.#endMember();
    for (const [stressor, values] of this.#stressors) this.#results.add(stressor, values);
    this.#stressors = new Map();
  }

  #head(text: string): void {
    this.end();
    this.#columns = [...columns, ...moreColumns.flatMap(([title, name]) => (text.includes(title) ? [name] : []))];
    [this.#isMiscellaneous, this.#length] = [false, 0];
  }

  #row(text: string, isCut: boolean): void {
    const titles = this.#columns!;
    const [stressor = "", ...words] = wordsOf(text);
    if (/^\s{1,80}\(secs\)/.test(text)) return;
    if (/^(?:successful|unsuccessful|passed:|failed:|skipped:)/.test(text)) {
      this.#columns = undefined;
      return;
    }
    const numbers = numbersOf(words);
    const isWhole = !isCut || text.length >= this.#length;
    if (numbers?.length !== titles.length || !/^[a-z][\w-]{0,60}$/.test(stressor) || !isWhole) {
      if (numbers !== undefined || isCut) this.#results.warn("skipped an incomplete row");
      return;
    }
    this.#length = text.length;
    const known = this.#stressors.get(stressor);
    // A stressor that is listed again belongs to another table.
    if (known !== undefined) this.end();
    const values = new Map(titles.map((title, at) => [title, scaled(title, numbers[at]!)] as const));
    this.#stressors.set(stressor, values);
  }

  /** `memcpy   5093.08 MB per sec memcpy rate (geometric mean of 2 instances)`. */
  #miscellaneous(text: string, isCut: boolean): void {
    const [, stressor = "", number = "", words = ""] =
      /^([a-z][\w-]{0,60})\s{1,40}(-?\d[\d.]{0,30}) (\S[^(]{0,100})/.exec(text) ?? [];
    const values = this.#stressors.get(stressor);
    if (values === undefined || isCut) return;
    const name = words.trim().replaceAll(/[^\w.-]+/g, "_");
    this.#results.metric({ name });
    values.set(name, printedNumber(number));
  }

  #member(text: string, isCut: boolean): void {
    const [, stressor] = /^\s{0,20}- stressor: ([a-z][\w-]{0,60})\s*$/.exec(text) ?? [];
    if (stressor !== undefined) {
      this.#endMember();
      this.#yaml = { stressor, values: new Map() };
      return;
    }
    if (this.#yaml === undefined) return;
    const [, key = "", number = ""] = /^\s{1,20}([a-z][\w-]{0,100}): (-?\d[\d.e+-]{0,40})\s*$/i.exec(text) ?? [];
    const name = yamlNames.get(key);
    if (text.trim() === "" || text.startsWith("...")) this.#endMember();
    else if (isCut) this.#results.warn("skipped an incomplete row");
    else if (name !== undefined) this.#yaml.values.set(name, scaled(name, printedNumber(number)));
  }

  #endMember(): void {
    const yaml = this.#yaml;
    this.#yaml = undefined;
    if (yaml === undefined) return;
    if (yaml.values.has("bogo_ops") && yaml.values.has("bogo_ops_per_s")) this.#results.add(yaml.stressor, yaml.values);
    else this.#results.warn("skipped an incomplete row");
  }
}

/** Memory is printed in KB of 1024 bytes (`ru_maxrss`). */
function scaled(name: string, value: number): number {
  return name === "rss_max" ? value * 1024 : value;
}
