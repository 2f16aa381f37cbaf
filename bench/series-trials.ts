import { parseUnit } from "../src/core/values/unit.ts";
import type { Verdict } from "../src/core/verdicts/verdict.ts";
import type { VersionId } from "../src/core/versions/digest.ts";
import type { Series } from "../src/core/measurements/series.ts";
import { seededRandom } from "../src/math/sampling/seeded-random.ts";
import { seriesVerdicts } from "../src/query/series/series-verdicts.ts";
import { seriesOptions } from "../test/series/series-options.ts";

/* Verdicts of `check series` on simulated machines, with seeds. */

/** A row of the printed table. */
export interface Trial {
  readonly what: string;
  readonly found: string;
  readonly wanted: string;
}

type Random = () => number;

/** Runs of each point. */
const repetitions = 6;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function versionAt(at: number): VersionId {
  return at.toString(16).padStart(40, "0") as VersionId;
}

function positionOf({ since }: Verdict): number {
  return since === null ? -1 : Number.parseInt(since.after, 16);
}

function seriesOf(
  key: string,
  points: readonly Float64Array[],
  machineAt: (at: number) => string | null = () => null,
): Series {
  return {
    subject: { source: "profile", key, benchmark: key, metric: "time", unit: parseUnit("s"), better: "lower" },
    points: points.map((sample, at) => ({
      version: versionAt(at),
      machine: machineAt(at),
      evidence: ["simulated"],
      sample,
    })),
  };
}

/** Runs of each point: `levelAt` is the level of the code, `spread` that of a run, `machine` its level at each run. */
function measured(
  count: number,
  random: Random,
  spread: number,
  levelAt: (at: number) => number,
  machine?: Float64Array,
): Float64Array[] {
  return Array.from({ length: count }, (_, at) => {
    const level = levelAt(at);
    return Float64Array.from(
      { length: repetitions },
      (__, run) => level * (machine?.[at * repetitions + run] ?? 1) * (1 + spread * normal(random)),
    );
  });
}

const isCalled = ({ outcome }: Verdict): boolean => outcome === "worse" || outcome === "better";

function shareOf(count: number, isHit: (trial: number) => boolean): string {
  const hits = Array.from({ length: count }, (_, trial) => isHit(trial)).filter(Boolean).length;
  return `${hits} of ${count}`;
}

function judged(points: readonly Float64Array[]): readonly Verdict[] {
  return seriesVerdicts([seriesOf("simulated", points)], seriesOptions).verdicts;
}

/** Slow drift is reported as such; steps are not. */
export function driftTrials(trials: number): Trial[] {
  const drifting = (perCommit: number, spread: number) => (trial: number) => {
    const random = seededRandom(10_000 + trial);
    const points = measured(60, random, spread, (at) => 100 * (1 + perCommit * at + 0.005 * normal(random)));
    return judged(points).every(({ doubt, drift }) => doubt === "drift" && Math.sign(drift?.perPoint ?? 0) > 0);
  };
  const stepping = (size: number) => (trial: number) => {
    const random = seededRandom(20_000 + trial);
    const from = 6 + Math.floor(48 * random());
    const points = measured(60, random, 0.02, (at) => 100 * (at < from ? 1 : 1 + size) * (1 + 0.005 * normal(random)));
    return judged(points).some(({ doubt }) => doubt === "drift");
  };
  const steady = (trial: number): boolean => {
    const random = seededRandom(30_000 + trial);
    let state = 0;
    const points = measured(60, random, 0.02, () => {
      state = 0.5 * state + 0.01 * normal(random);
      return 100 * (1 + state);
    });
    return judged(points).some(({ doubt }) => doubt === "drift");
  };
  return [
    {
      what: "+0.2 % a commit over 60, runs of CV 1 %: drift",
      found: shareOf(trials, drifting(0.002, 0.01)),
      wanted: ">= 95 %",
    },
    {
      what: "+0.2 % a commit over 60, runs of CV 3 %: drift",
      found: shareOf(trials, drifting(0.002, 0.03)),
      wanted: ">= 95 %",
    },
    ...[0.02, 0.05, 0.12].map((size) => {
      return { what: `a step of ${100 * size} %: drift`, found: shareOf(trials, stepping(size)), wanted: "<= 2 %" };
    }),
    { what: "no change, autocorrelated 0.5: drift", found: shareOf(trials, steady), wanted: "<= 2 %" },
  ];
}

/** Runs of two modes. */
function bimodal(seed: number, occupancy: (at: number) => number, level: (at: number) => number): Float64Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: 40 }, (_, at) =>
    Float64Array.from({ length: repetitions }, () => {
      const mode = random() < occupancy(at) ? 1.3 : 1;
      return level(at) * mode * (1 + 0.01 * normal(random));
    }),
  );
}

/** How often a mode is taken is not its level. */
export function modeTrials(trials: number): Trial[] {
  const flips = [
    [0.2, 0.8],
    [0.1, 0.7],
    [0.3, 0.9],
    [0.8, 0.2],
  ] as const;
  const rows = flips.map(([before, after]) => {
    const isWrong = (trial: number): boolean =>
      judged(
        bimodal(
          40_000 + trial,
          (at) => (at < 20 ? before : after),
          () => 100,
        ),
      ).some(isCalled);
    const what = `the slow mode is taken in ${100 * before} %, then ${100 * after} % of the runs: worse or better`;
    return { what, found: shareOf(trials, isWrong), wanted: "0" };
  });
  const isFound = (trial: number): boolean =>
    judged(
      bimodal(
        50_000 + trial,
        () => 0.3,
        (at) => (at < 20 ? 100 : 115),
      ),
    ).some((verdict) => verdict.outcome === "worse" && Math.abs(positionOf(verdict) - 20) <= 1);
  return [
    ...rows,
    { what: "both modes +15 %, 30 % in the slow one: found", found: shareOf(trials, isFound), wanted: "most" },
  ];
}

/** The level of a machine at each run. */
type Machine = (runs: number, random: Random) => Float64Array;

const machines: Readonly<Record<string, Machine>> = {
  quiet: (count) => new Float64Array(count).fill(1),
  "AR(1) 0.8 from point to point, 3 %": (count, random) => {
    let state = 0;
    return Float64Array.from({ length: count }, (_, at) => {
      if (at % repetitions === 0) state = 0.8 * state + 0.6 * 0.03 * normal(random);
      return 1 + state;
    });
  },
  "random walk, 1 % a point": (count, random) => {
    let state = 0;
    return Float64Array.from({ length: count }, () =>
      Math.exp((state += (0.01 / Math.sqrt(repetitions)) * normal(random))),
    );
  },
  "two levels, +30 %, for 6 points": (count, random) => telegraph(count, random, 1.3, 6),
  "two levels, +80 %, for 12 points": (count, random) => telegraph(count, random, 1.8, 12),
  "two levels, +80 %, for 40 points": (count, random) => telegraph(count, random, 1.8, 40),
  "busy: +40 % with scatter, for 8 points": (count, random) =>
    telegraph(count, random, 1.4, 8).map((level) => (level > 1 ? level * (1 + 0.1 * normal(random)) : level)),
};

/** Two levels, alternating after waits of `points` on average, drawn from an exponential distribution. */
function telegraph(count: number, random: Random, high: number, points: number): Float64Array {
  const wait = (): number => -points * repetitions * Math.log(1 - random());
  let [level, left] = [random() < 0.5 ? 1 : high, wait()];
  return Float64Array.from({ length: count }, () => {
    while (left < 0) [level, left] = [level === 1 ? high : 1, left + wait()];
    left -= 1;
    return level;
  });
}

/** Suites of 20 series of 36 points, with machine levels of their own or shared by all. */
export function machineTrials(suites: number): Trial[] {
  return Object.entries(machines).flatMap(([name, machine]) =>
    [false, true].map((isShared): Trial => {
      let [called, cover, intervals, found, planted] = [0, 0, 0, 0, 0];
      for (let suite = 0; suite < suites; suite++) {
        const random = seededRandom(60_000 + suite);
        const shared = machine(36 * repetitions, random);
        const all = Array.from({ length: 20 }, (_, at) => {
          const levels = isShared ? shared : machine(36 * repetitions, random);
          const step = at < 4 ? 1.2 : 1;
          return seriesOf(
            `${at}`,
            measured(36, random, 0.02, (i) => (i < 12 + 4 * at ? 100 : 100 * step), levels),
          );
        });
        const { verdicts } = seriesVerdicts(all, seriesOptions);
        for (const verdict of verdicts) {
          const own = Number(verdict.subject.key);
          const effect = own < 4 && isNearest(verdict, verdicts, 12 + 4 * own) ? 0.2 : 0;
          if (own >= 4 && isCalled(verdict)) called += 1;
          if (own < 4 && verdict.outcome === "worse" && Math.abs(positionOf(verdict) - 12 - 4 * own) <= 1) found += 1;
          if (verdict.deltaLow === null || verdict.deltaHigh === null) continue;
          intervals += 1;
          if (verdict.deltaLow <= effect && effect <= verdict.deltaHigh) cover += 1;
        }
        planted += 4;
      }
      const share = (hits: number, of: number): string => `${((100 * hits) / of).toFixed(1)} %`;
      return {
        what: `machine ${name}, ${isShared ? "the same for all series" : "of each series"}`,
        found: [
          `false alarms ${share(called, 16 * suites)}`,
          `+20 % found ${share(found, planted)}`,
          `intervals cover ${share(cover, intervals)}`,
        ].join(", "),
        wanted: "false alarms <= 3 %, cover >= 90 %",
      };
    }),
  );
}

/** Whether of the verdicts of its series this one is about a step: levels of others do not differ by it. */
function isNearest(verdict: Verdict, all: readonly Verdict[], step: number): boolean {
  const own = all.filter(({ subject }) => subject.key === verdict.subject.key);
  const distance = (each: Verdict): number => Math.abs(positionOf(each) - step);
  return own.every((each) => distance(verdict) <= distance(each));
}

/** A regression of all series is not passed over. */
export function sharedTrials(trials: number): Trial[] {
  const isReported = (trial: number): boolean => {
    const random = seededRandom(70_000 + trial);
    const all = Array.from({ length: 10 }, (_, at) =>
      seriesOf(
        `${at}`,
        measured(36, random, 0.02, (i) => 100 * (at + 1) * (i < 20 ? 1 : 1.1)),
      ),
    );
    const { verdicts } = seriesVerdicts(all, seriesOptions);
    const reported = verdicts.filter(({ doubt, outcome }) => doubt === "shared" || outcome === "worse");
    return new Set(reported.map(({ subject }) => subject.key)).size === all.length;
  };
  return [{ what: "+10 % in all of 10 series: reported for each", found: shareOf(trials, isReported), wanted: "all" }];
}

/** Two models of processors in turn, the second 30 % slower: the machines of runners that live for one commit. */
const hostClasses = ["cpu=model a; os=linux", "cpu=model b; os=linux"];

/** Suites of 20 series, each commit measured on a host of its own; `hostsOf`: their levels, relative to their model. */
function hostSuites(suites: number, hostsOf: (commits: number, random: Random) => number[]) {
  const [commits, step] = [20, 10];
  let [called, found, judgedSeries] = [0, 0, 0];
  for (let suite = 0; suite < suites; suite++) {
    const random = seededRandom(80_000 + suite);
    const hosts = hostsOf(commits, random).map((level, at) => level + 0.3 * (at % 2));
    const all = Array.from({ length: 20 }, (_, series) => {
      const levelAt = (at: number): number => 100 * (series < 4 && at >= step ? 1.03 : 1) * (hosts[at] ?? 1);
      return seriesOf(`${series}`, measured(commits, random, 0.01, levelAt), (at) => hostClasses[at % 2] ?? null);
    });
    const { verdicts } = seriesVerdicts(all, seriesOptions);
    const keysOf = (list: readonly Verdict[]): Set<number> => new Set(list.map(({ subject }) => Number(subject.key)));
    const isNear = (verdict: Verdict): boolean =>
      verdict.outcome === "worse" && Math.abs(positionOf(verdict) - step) <= 2;
    called += [...keysOf(verdicts.filter(isCalled))].filter((series) => series >= 4).length;
    found += [...keysOf(verdicts.filter(isNear))].filter((series) => series < 4).length;
    judgedSeries += keysOf(verdicts.filter(({ before }) => before !== null)).size;
  }
  return { called: `${called} of ${16 * suites}`, found: `${found} of ${4 * suites}`, judged: judgedSeries };
}

/** Hosts that differ by 0.3 % from others of their model; and models whose level walks, each on its own. */
export function hostTrials(suites: number): Trial[] {
  const steady = hostSuites(suites, (commits, random) =>
    Array.from({ length: commits }, () => 1 + 0.003 * normal(random)),
  );
  const walking = hostSuites(suites, (commits, random) => {
    const levels = [1, 1];
    return Array.from({ length: commits }, (_, at) => (levels[at % 2] = levels[at % 2]! * (1 + 0.01 * normal(random))));
  });
  const what = "20 hosts of two models, one a commit";
  return [
    { what: `${what}: series judged`, found: `${steady.judged} of ${20 * suites}`, wanted: "all" },
    { what: `${what}: unchanged series called worse or better`, found: steady.called, wanted: "<= 1 %" },
    { what: `${what}: +3 % found`, found: steady.found, wanted: ">= 90 %" },
    {
      what: "two models that walk by 1 % a point, in turn: unchanged series called",
      found: walking.called,
      wanted: "<= 3 %",
    },
  ];
}

/** The commits of a change that hold its cause, at steps of one to four standard deviations of a point. */
export function culpritTrials(trials: number): Trial[] {
  return [1, 2, 3, 4].map((sigmas) => {
    const random = seededRandom(sigmas);
    let [found, covered, first, commits] = [0, 0, 0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const cut = 20 + Math.floor(random() * 20);
      const level = (at: number): number => 1 + (at >= cut ? sigmas * 0.02 : 0);
      const points = Array.from({ length: 60 }, (_, at) => Float64Array.of(level(at) * (1 + 0.02 * normal(random))));
      const change = judged(points).find(({ since, outcome }) => since !== null && outcome !== "same");
      if (change?.since === undefined || change.since === null) continue;
      found += 1;
      covered += change.since.suspects.includes(versionAt(cut)) ? 1 : 0;
      first += change.since.after === versionAt(cut) ? 1 : 0;
      commits += change.since.suspects.length;
    }
    const share = (count: number): string => `${((100 * count) / Math.max(1, found)).toFixed(1)} %`;
    return {
      what: `step of ${sigmas} sigma: suspects hold the culprit (first: ${share(first)}), mean number`,
      found: `${share(covered)} of ${found} found in ${trials}; ${(commits / Math.max(1, found)).toFixed(1)}`,
      wanted: sigmas === 3 ? "95 %; at most 3" : "95 %",
    };
  });
}
