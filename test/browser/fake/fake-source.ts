import type { Figure } from "../../../src/core/figures/figure.ts";
import type { ChangeLine, Overview } from "../../../src/core/pages/overview.ts";
import type { LiveSource, PageSource, ProfileLine, ViewOption } from "../../../src/core/pages/source.ts";
import { type VerdictOutcome, verdictOutcomes } from "../../../src/core/verdicts/verdict.ts";
import { StateLevelsBuilder } from "../../../src/query/pages/state-levels.ts";
import { fakeChart, fakeFigure, fakeFlame, fakeTable, fakeViews, type TextOf } from "./fake-figures.ts";
import { fakeChanges, fakeColumns, fakeMachines, fakePoints, fakeVersions, idOf } from "./fake-columns.ts";
import type { FakeOptions } from "./fake-options.ts";
import { hostileTexts } from "./hostile-texts.ts";

/** A source with fake data; some calls are recorded in `calls`. */
export function fakeSource(options: FakeOptions, calls: unknown[]): PageSource {
  const text: TextOf = (plain, index) =>
    options.hostile ? `${hostileTexts[index % hostileTexts.length]} ${plain}` : plain;
  const columns = fakeColumns(options, text);
  return {
    overview: () => Promise.resolve(overviewOf(options, text)),
    versions: () => Promise.resolve(fakeVersions(options, text)),
    series: () => Promise.resolve(columns),
    changes: () => Promise.resolve(fakeChanges(options)),
    points: (block) => Promise.resolve(fakePoints(options, block)),
    levels: (from, to) => {
      const builder = new StateLevelsBuilder(columns, from, to);
      for (const block of builder.blocks) builder.add(fakePoints(options, block));
      return Promise.resolve(builder.levels);
    },
    machines: () => Promise.resolve(fakeMachines(options)),
    profiles: (version) => Promise.resolve(profilesOf(version, text)),
    views: () =>
      Promise.resolve(
        fakeViews.map((name) => ({ name, synopsis: text(`what ${name} shows`, 2), options: optionsOf(text) })),
      ),
    firstView: () => Promise.resolve(fakeViews[0] ?? ""),
    view: (_, view, given) => {
      calls.push(["view", view, given]);
      return given["of"] === "nothing"
        ? Promise.reject(new Error("there is nothing to draw"))
        : Promise.resolve(fakeFigure(view, text));
    },
    difference: (base, target) => {
      calls.push(["difference", base, target]);
      return Promise.resolve({ title: text("Difference", 1), blocks: [fakeTable(text, 12), fakeFlame(text, true)] });
    },
    differences: () =>
      Promise.resolve([
        [objectOf(0, options.points - 21), objectOf(0, options.points - 20), text("memory of sort", 2)],
        ["c".repeat(40), "d".repeat(40), "another"],
      ]),
    experiment: (name) =>
      Promise.resolve({
        name,
        figures: ["Coverage", "Bandwidth"].map((each, i) => ({
          name: text(each, i),
          figure: { title: each, blocks: [i === 0 ? fakeTable(text, 5) : fakeChart(text)] },
        })),
      }),
    ...(options.live
      ? { live: liveOf(text, calls), speedscope: (object: string) => Promise.resolve(`#/speedscope/${object}`) }
      : {}),
  };
}

function overviewOf(options: FakeOptions, text: TextOf): Overview {
  if (options.judging === undefined) return analyzedOverview(options, text);
  const made = analyzedOverview(options.judging === "first" ? { ...options, series: 0 } : options, text);
  return { ...made, judging: true };
}

function analyzedOverview(options: FakeOptions, text: TextOf): Overview {
  const count = (word: VerdictOutcome): number =>
    Math.ceil((options.series * { worse: 3, better: 2, same: 90, inconclusive: 5 }[word]) / 100);
  return {
    schema: "perfkeep.overview/2",
    project: text("libfast", 0),
    range: text("v1.0..main", 1),
    program: "0.1.0",
    commitUrl: "https://example.org/o/r/commit/",
    generatedAt: "2026-09-21T14:13:20Z",
    totals: {
      commits: options.points,
      measured: options.points,
      profiles: 300,
      series: options.series,
      points: options.series * options.points,
      experiments: 2,
      runs: 128,
    },
    outcomes: Object.fromEntries(verdictOutcomes.map((word) => [word, count(word)])) as Record<VerdictOutcome, number>,
    unjudged: 0,
    changes: Array.from({ length: Math.min(options.series, 24) }, (_, i) => changeOf(i, options, text)),
    groups: [
      { after: idOf(options.points - 20), subject: text("Cache the answers", 0), suspects: 2, worse: 3, better: 0 },
    ],
    environment: [
      ["processor", text("AMD EPYC 7543", 2)],
      ["system", "Linux 6.1"],
      [text("compiler", 3), "gcc 12.2"],
    ],
    experiments: [
      {
        name: text("b_eff_io", 4),
        synopsis: text("Effective bandwidth of input and output", 5),
        runs: 96,
        rows: 4032,
      },
      { name: "latency", synopsis: "", runs: 32, rows: 640 },
    ],
    notes: [text("12 series have too few points for a verdict", 6)],
  };
}

function changeOf(series: number, options: FakeOptions, text: TextOf): ChangeLine {
  const word: VerdictOutcome = series % 4 === 3 ? "inconclusive" : series < 12 ? "worse" : "better";
  const delta = (word === "better" ? -1 : 1) * (0.62 / (1 + (series % 12)));
  const { facts, arrays } = fakeColumns(options, text);
  const of = (name: "key" | "benchmark" | "metric" | "unit"): string => facts.texts[arrays[name][series] ?? 0] ?? "";
  const at = options.points - 20;
  return {
    series,
    key: of("key"),
    benchmark: of("benchmark"),
    metric: of("metric"),
    unit: of("unit"),
    outcome: word,
    delta,
    deltaLow: delta - 0.03,
    deltaHigh: delta + 0.03,
    p: 0.0001,
    q: 0.001,
    since: {
      before: idOf(at - 1),
      after: idOf(at),
      suspects: 1 + (series % 3),
      subject: text("Cache the answers", series),
      date: null,
    },
    group: series < 3 ? 0 : null,
    triage: series === 2 ? text("accepted: it is safer", 7) : null,
    latest: 10 + delta * 10,
    spark: Array.from({ length: 40 }, (_, i) => 10 + Math.sin(i * 1.7 + series) + (i > 25 ? delta * 10 : 0)),
  };
}

function optionsOf(text: TextOf): ViewOption[] {
  return [
    { name: "of", type: "string", synopsis: text("column to draw", 1), default: "amount", valid: [] },
    { name: "top", type: "integer", synopsis: "maximum number", default: "12", valid: [] },
    { name: "where", type: "text", synopsis: text("conditions, one per line", 3), default: "", valid: [] },
    { name: "form", type: "string", synopsis: "form of the graph", default: "plain", valid: ["plain", "inverted"] },
    { name: "merged", type: "boolean", synopsis: "merge all", default: "false", valid: [] },
  ];
}

function objectOf(profile: number, version: number): string {
  return `${profile}${idOf(version).slice(1)}`;
}

function profilesOf(version: number, text: TextOf): ProfileLine[] {
  const time = 1_780_000_000 + version * 3600;
  const all = ["memory", "time", "trace"].map((collector, i) => ({
    object: objectOf(i, version),
    name: text(`${collector}-sort-2026.perf`, i),
    type: text("mixed", i + 1),
    collector: text(collector, i + 2),
    cmd: text("./sort --fast", i + 3),
    workload: text("large.txt", i + 4),
    time,
  }));
  // The profile of the first series.
  const own = { object: objectOf(3, version), name: text("own.perf", 3), type: text("mixed", 4), time };
  return [...all, { ...own, collector: text("suite/sort/0", 0), cmd: "", workload: "" }];
}

function liveOf(text: TextOf, calls: unknown[]): LiveSource {
  const stored: [string, string][] = [[text("stored one", 3), "EXPERIMENT b_eff_io\n"]];
  const figure = (title: string): Figure => ({ title: text(title, 2), blocks: [fakeTable(text, 4)] });
  return {
    watch: (changed) => {
      (globalThis as { fakeNews?: typeof changed }).fakeNews = changed;
      return () => undefined;
    },
    evidence: (series, version) => {
      calls.push(["evidence", series, version]);
      const run = {
        number: 12,
        words: text("nightly", 1),
        performed: 1_780_000_000,
        performer: text("Ada", 2),
        rows: 4,
      };
      const files = { files: [text("results.json", 3)], moreFiles: 2 };
      return Promise.resolve({
        profiles: profilesOf(version, text).slice(0, 1),
        runs: [{ ...run, ...files }],
        more: 1234,
      });
    },
    variables: () =>
      Promise.resolve([
        { name: text("B_write", 0), role: "result", type: "float", unit: "MB/s" },
        { name: "B_read", role: "result", type: "float", unit: "MB/s" },
        { name: text("S_chunk", 1), role: "parameter", type: "integer", unit: "Byte" },
        { name: "N_proc", role: "parameter", type: "integer", unit: "" },
      ]),
    query: (experiment, query) => {
      calls.push(["query", experiment, query]);
      return query.includes("WRONG")
        ? Promise.reject(new Error(text("query:1:1: no such keyword: WRONG", 5)))
        : Promise.resolve(figure("Answer"));
    },
    storedQueries: () => Promise.resolve(stored),
    storeQuery: (experiment, name, query) => {
      calls.push(["store", experiment, name, query]);
      stored.push([name, query]);
      return Promise.resolve();
    },
    mine: () => Promise.resolve(figure("Findings")),
    triage: (key, state, note) => {
      calls.push(["triage", key, state, note]);
      return note === "refuse"
        ? Promise.reject(new Error(text("the triage file is not tracked", 6)))
        : Promise.resolve();
    },
  };
}
