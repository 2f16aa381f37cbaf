import type { VersionId } from "../src/core/digest.ts";
import { parseUnit } from "../src/core/unit.ts";
import { ensemble, ensembleDefaults } from "../src/math/detectors/ensemble.ts";
import type { LevelChange } from "../src/math/detectors/level-change.ts";
import { SeriesBuilder } from "../src/query/series/series-builder.ts";
import { seriesVerdicts } from "../src/query/series/series-verdicts.ts";
import { AnswerCache, answerKey } from "../src/store/answer-cache.ts";
import { KeptByContent } from "../src/store/kept-by-content.ts";
import { plantedSeries } from "../test/series/planted.ts";

/* Building series of values and judging them, in one process, as `check series` does after reading. */

export interface SeriesSpeed {
  readonly series: number;
  /** Milliseconds of processor time: from scratch, and again when one of the series has a value more. */
  readonly all: number;
  readonly oneMore: number;
}

const points = 500;
const unit = parseUnit("s");

export function seriesSpeeds(folder: string, sizes: readonly number[]): SeriesSpeed[] {
  return sizes.map((size) => {
    const values = Array.from(
      { length: size },
      (_, at) => plantedSeries("gauss", at, { count: points + 1, changes: changesOf(at) }).values,
    );
    const cache = new AnswerCache(`${folder}/${size}`);
    const all = measured(() => check(values, points, new KeptByContent(cache, answerKey([size]), 1)));
    const grown = values.map((each, at) => (at === 0 ? each : each.subarray(0, points)));
    const oneMore = measured(() => check(grown, points + 1, new KeptByContent(cache, answerKey([size]), 1)));
    return { series: size, all, oneMore };
  });
}

/** One in ten has a step. */
function changesOf(at: number): { from: number; to: number; share: number }[] {
  return at % 10 === 0 ? [{ from: 300, to: 300, share: 0.1 }] : [];
}

function check(values: readonly Float64Array[], most: number, kept: KeptByContent<readonly LevelChange[]>): void {
  const builder = new SeriesBuilder();
  for (let at = 0; at < most; at++) {
    const version = at.toString(16).padStart(40, "0") as VersionId;
    const place = { version, machine: null };
    for (const [name, each] of values.entries()) {
      if (at >= each.length) continue;
      const subject = { source: "profile", key: `${name}`, benchmark: `${name}`, metric: "time", unit, better: undefined } as const;
      builder.add(subject, place, version, each.subarray(at, at + 1));
    }
  }
  seriesVerdicts(builder.series(), {
    method: "ensemble",
    detect: (numbers) => kept.of(numbers, (own) => ensemble(own, ensembleDefaults)),
    isIn: null,
    minEffect: 0.01,
    falseDiscoveryRate: 0.05,
    allMachines: false,
    suspects: (_, after) => [after],
  });
  kept.save();
}

function measured(action: () => void): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
