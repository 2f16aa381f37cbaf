import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { embeddedDocuments, embeddedJson, type JsonLocation } from "../../../formats/json/index.ts";
import { prefixedNumber, printedNumber } from "../../../formats/text/index.ts";
import { LogResults, logImporter, numbersOf, wordsOf, type LogReader } from "../log-importer.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "sender_rate", unit: "Byte/s", better: "higher" },
  { name: "receiver_rate", unit: "Byte/s", better: "higher" },
  { name: "retransmits", better: "lower", whole: true },
  { name: "jitter", unit: "s", better: "lower" },
  { name: "lost_packets", better: "lower", whole: true },
  { name: "packets", whole: true },
];

/** The first members of a document, and a line of `--json-stream`. */
const documentHead =
  /(?:^|\n)\s{0,20}\{\s{0,20}"start"\s{0,20}:\s{0,20}\{\s{0,20}"(?:connected|connecting_to|version)"/;
const eventHead = /(?:^|\n)\{"event":\s?"start",\s?"data":/;

/** iperf3 3.0 to 3.19: the totals of the text output, of `--json` and `--json-stream`; the sum with several streams. */
export const iperf3 = reportImporter({
  name: "iperf3",
  synopsis: "iperf3, also with --json, --json-stream",
  marks: 'lines `[  5]  0.00-4.00  sec … Gbits/sec … sender`, or JSON with "start", "intervals", "end"',
  sniff(head) {
    const text = new TextDecoder().decode(head);
    return documentHead.test(text) || eventHead.test(text) ? 1 : textResults(head).count > 0 ? 0.95 : 0;
  },
  reports: (bytes, file) => {
    const head = new TextDecoder().decode(bytes.subarray(0, 1 << 16));
    if (eventHead.test(head)) return [documentReport(testsIn(embeddedJson(new TextDecoder().decode(bytes), file)))];
    if (!documentHead.test(head)) return [textResults(bytes).report()];
    const documents = embeddedDocuments(bytes, file, "start", "end");
    return [documentReport(documents.map((each) => [each.get("start"), each.get("end")]))];
  },
});

function textResults(bytes: Uint8Array): LogResults {
  const results = new LogResults(metrics);
  results.read(new TextReader(results), bytes);
  return results;
}

type Figures = Map<string, number>;

/** `[  5][TX-C]   0.00-10.00  sec  1.1 GBytes  941 Mbits/sec  12   sender`; the stream may be `SUM`. */
const total = new RegExp(
  String.raw`^\[ {0,9}(\d{1,9}|SUM)\](?:\[([TR]X-[CS])\])?\s{1,9}[\d.]{1,15}-\s{0,9}[\d.]{1,15}\s{1,9}sec\s{1,9}` +
    String.raw`[\d.]{1,15} [KMGT]?Bytes\s{1,9}([\d.]{1,15}) ([KMGT]?)(bits|Bytes)\/sec(.*)$`,
);

class TextReader implements LogReader {
  readonly #results: LogResults;
  /** Totals by direction, then by stream. */
  #totals = new Map<string, Map<string, Figures>>();
  #isTotal = false;
  #isDatagrams = false;
  #isReverse = false;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    if (/^(?:Connecting to host|Accepted connection from|Server listening on) /.test(text)) this.end();
    const [, version] = /^iperf (3\.\d[\w.+-]{0,20})/.exec(text) ?? [];
    if (version !== undefined) this.#results.fact("iperf3", version);
    if (text.startsWith("Reverse mode, remote host ")) this.#isReverse = true;
    if (/^(?:- ){10,60}-?\s*$/.test(text)) this.#isTotal = true;
    if (/^\[ ID\].{0,20}Interval.{0,60}(?:Total Datagrams|Jitter)/.test(text)) this.#isDatagrams = true;
    if (this.#isTotal && !isCut) this.#total(text);
  }

  end(): void {
    for (const [direction, streams] of this.#totals)
      for (const [stream, values] of streams) {
        // The sum stands for its streams.
        if (streams.has("SUM") && stream !== "SUM") continue;
        this.#results.add("iperf3", values, [
          ["protocol", this.#isDatagrams ? "UDP" : "TCP"],
          ["streams", Math.max(1, [...streams.keys()].filter((each) => each !== "SUM").length)],
          ["reverse", this.#isReverse],
          ["direction", direction === "" ? undefined : direction],
        ]);
      }
    [this.#totals, this.#isTotal] = [new Map(), false];
    [this.#isDatagrams, this.#isReverse] = [false, false];
  }

  #total(text: string): void {
    const [, stream = "", direction = "", amount = "", prefix = "", unit, rest = ""] = total.exec(text) ?? [];
    const [, role] = /\s(sender|receiver)\s*$/.exec(rest) ?? [];
    const [, jitter, lost, packets] = /^\s{1,20}([\d.]{1,15}) ms\s{1,20}(\d{1,12})\/(\d{1,12}) \(/.exec(rest) ?? [];
    // Versions before 3.2 print one line for datagrams, without a role: the rate of the client.
    if (stream === "" || (role === undefined && jitter === undefined)) return;
    const streams = this.#totals.get(direction) ?? new Map<string, Figures>();
    const values = streams.get(stream) ?? new Map<string, number>();
    this.#totals.set(direction, streams.set(stream, values));
    // Bytes have binary prefixes, bits decimal ones.
    const rate = unit === "bits" ? prefixedNumber(amount, prefix) / 8 : prefixedNumber(amount, prefix && `${prefix}i`);
    values.set(`${role ?? "sender"}_rate`, rate);
    const [, retransmits] = /^\s{1,20}(\d{1,12})\s{1,40}sender/.exec(rest) ?? [];
    if (retransmits !== undefined) values.set("retransmits", Number(retransmits));
    if (jitter === undefined || role === "sender") return;
    values.set("jitter", printedNumber(jitter) / 1000);
    values.set("lost_packets", Number(lost)).set("packets", Number(packets));
  }
}

type Test = readonly [start: JsonLocation, end: JsonLocation];

/** The first and the last event of each test; a test that was stopped has no last one. */
function testsIn(events: readonly JsonLocation[]): Test[] {
  let start: JsonLocation | undefined;
  return events.flatMap((event): Test[] => {
    const [name, data] = [event.maybe("event")?.scalar, event.maybe("data")];
    if (name === "start") start = data;
    return name === "end" && start !== undefined && data !== undefined ? [[start, data]] : [];
  });
}

function documentReport(tests: readonly Test[]): BenchmarkReport {
  const results = new LogResults(metrics);
  for (const [start, end] of tests) {
    results.fact("iperf3", String(start.maybe("version")?.scalar ?? "").replace(/^iperf /, ""));
    const [test, isBoth] = [start.maybe("test_start"), end.maybe("sum_sent_bidir_reverse") !== undefined];
    const parameters: [string, Value | undefined][] = [
      ["protocol", test?.maybe("protocol")?.scalar ?? undefined],
      ["streams", test?.maybe("num_streams")?.number() ?? undefined],
      ["reverse", (test?.maybe("reverse")?.number() ?? 0) === 1],
    ];
    for (const ending of ["", "_bidir_reverse"])
      results.add("iperf3", totalsIn(end, ending), [
        ...parameters,
        ["direction", isBoth ? (ending === "" ? "TX-C" : "RX-C") : undefined],
      ]);
  }
  return results.report();
}

function totalsIn(end: JsonLocation, ending: string): [string, number][] {
  const sum = end.maybe(`sum${ending}`);
  const sent = end.maybe(`sum_sent${ending}`) ?? sum;
  const received = end.maybe(`sum_received${ending}`);
  const number = (location: JsonLocation | undefined, name: string): number =>
    location?.maybe(name)?.number() ?? Number.NaN;
  // Datagrams: the receiver reports them, in versions before 3.12 only in the common sum.
  const datagrams = received?.maybe("jitter_ms") === undefined ? sum : received;
  return [
    ["sender_rate", number(sent, "bits_per_second") / 8],
    ["receiver_rate", number(received, "bits_per_second") / 8],
    ["retransmits", number(sent, "retransmits")],
    ["jitter", number(datagrams, "jitter_ms") / 1000],
    ["lost_packets", number(datagrams, "lost_packets")],
    ["packets", number(datagrams, "packets")],
  ];
}

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
    this.#results.metric({ name, ...(/\bper sec|\brate\b|\/s(?:ec)?\b/.test(words) && { better: "higher" }) });
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
