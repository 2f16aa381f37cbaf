import type { VersionId } from "../../../src/core/versions/digest.ts";
import type { ChangeColumns, MachineColumns, SeriesColumns, VersionColumns } from "../../../src/core/pages/columns.ts";
import type { PointBlock } from "../../../src/core/pages/frame.ts";
import { verdictOutcomes } from "../../../src/core/verdicts/verdict.ts";
import type { TextOf } from "./fake-figures.ts";
import type { FakeOptions } from "./fake-options.ts";

/** Number of series in a block of points. */
export const seriesInBlock = 500;

export function idOf(version: number): VersionId {
  const text = (version * 2_654_435_761).toString(16).padStart(12, "0").slice(-12).padEnd(40, "0123456789abcdef");
  return text as VersionId;
}

export function fakeVersions({ points }: FakeOptions, text: TextOf): VersionColumns {
  const each = <Value>(make: (i: number) => Value): Value[] => Array.from({ length: points }, (_, i) => make(i));
  return {
    facts: {
      ids: each(idOf),
      subjects: each((i) => text(["Cache the answers", "Tidy up", "Use fewer copies", "Fix a leak"][i % 4] ?? "", i)),
      authors: each((i) => text(["Ada", "Grace", "Linus"][i % 3] ?? "", i + 3)),
      tags: points < 40 ? [] : [[points >> 1, text("v1.0", 8)]],
      bodies: [[points - 20, text("The cache keeps the last answer.\n\nFixes #12.", 2)]],
      names: [...(points < 40 ? [] : [[points >> 1, text("v1.0", 8)] as const]), [points - 1, "HEAD"] as const],
    },
    arrays: {
      date: Float64Array.from(each((i) => 1_780_000_000 + i * 7200)),
      parents: Int32Array.from(each((i) => i - 1)),
      profiles: Int32Array.from(each((i) => (i % 2 === 0 || i === points - 21 ? 3 : 0))),
    },
  };
}

let cached: { readonly key: string; readonly columns: SeriesColumns } | undefined;

/** Cached, so that overviews and lists show the same series. */
export function fakeColumns(options: FakeOptions, text: TextOf): SeriesColumns {
  const key = JSON.stringify(options);
  if (cached?.key !== key) cached = { key, columns: columnsOf(options, text) };
  return cached.columns;
}

function columnsOf({ series, points, prefix = "" }: FakeOptions, text: TextOf): SeriesColumns {
  const texts = ["time", "memory", "ms", "KiByte"];
  const each = (make: (i: number) => number): Int32Array => Int32Array.from({ length: series }, (_, i) => make(i));
  const benchmark = each(
    (i) =>
      texts.push(text(`${prefix}suite/${["sort", "search", "merge", "parse"][i % 4]}/${Math.floor(i / 4)}`, i)) - 1,
  );
  const key = each((i) => texts.push(`${texts[benchmark[i] ?? 0]}:${i}`) - 1);
  return {
    facts: { texts, words: verdictOutcomes },
    arrays: {
      benchmark,
      key,
      metric: each((i) => i % 2),
      unit: each((i) => 2 + (i % 2)),
      word: each((i) => (i < 24 ? (i % 4 === 3 ? 3 : i < 12 ? 0 : 1) : 2)),
      delta: Float64Array.from({ length: series }, (_, i) =>
        i < 24 ? (i < 12 ? 0.62 : -0.62) / (1 + (i % 12)) : Number.NaN,
      ),
      count: each(() => points),
      last: Float64Array.from({ length: series }, (_, i) => valueOf(i, points - 1, points)),
      better: each((i) => Number(i % 5 === 0)),
      source: each(() => 0),
      block: each((i) => Math.floor(i / seriesInBlock)),
      from: each((i) => (i % seriesInBlock) * points),
    },
  };
}

export function valueOf(series: number, point: number, points: number): number {
  const noise = Math.sin(point * 12.9898 + series * 78.233) * 0.4;
  const jump = series < 24 && point >= points - 20 ? (series < 12 ? 6.2 : -6.2) / (1 + (series % 12)) : 0;
  return 10 + (series % 7) + noise + jump;
}

export function fakePoints({ series, points }: FakeOptions, block: number): PointBlock {
  const first = block * seriesInBlock;
  const count = Math.min(seriesInBlock, series - first);
  const of = (make: (series: number, point: number) => number): Float64Array =>
    Float64Array.from({ length: count * points }, (_, i) => make(first + Math.floor(i / points), i % points));
  const changes = Array.from({ length: count }, (_, i) => (first + i < 24 ? [i * points + points - 20] : [])).flat();
  return {
    facts: { block },
    arrays: {
      version: Int32Array.from({ length: count * points }, (_, i) => i % points),
      center: of((s, p) => valueOf(s, p, points)),
      low: of((s, p) => valueOf(s, p, points) - 0.3),
      high: of((s, p) => valueOf(s, p, points) + 0.5),
      n: Int32Array.from({ length: count * points }, () => 5),
      changes: Int32Array.from(changes),
    },
  };
}

/** The changes of the overview and as many again. */
export function fakeChanges({ series, points }: FakeOptions): ChangeColumns {
  const length = Math.min(series, 48);
  const each = (make: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => make(i));
  const integers = (make: (i: number) => number): Int32Array => Int32Array.from(each(make));
  const deltaOf = (i: number): number => (i < 12 || i >= 24 ? 0.62 : -0.62) / (1 + (i % 12));
  const at = points - 20;
  return {
    facts: { words: verdictOutcomes, triage: [[2, "accepted"]] },
    arrays: {
      series: integers((i) => i),
      word: Uint8Array.from(each((i) => (i % 4 === 3 ? 3 : i < 12 || i >= 24 ? 0 : 1))),
      delta: each(deltaOf),
      low: each((i) => deltaOf(i) - 0.03),
      high: each((i) => deltaOf(i) + 0.03),
      p: each(() => 0.0001),
      q: each(() => 0.001),
      before: integers(() => at - 1),
      after: integers(() => at),
      suspects: integers((i) => 1 + (i % 3)),
    },
  };
}

/** Two machines that measured the first series; the second one took a quarter longer, and measured the newer half. */
export function fakeMachines({ points }: FakeOptions): MachineColumns {
  const rows = Array.from({ length: points }, (_, version) => version).flatMap((version) =>
    (version < points / 2 ? [0] : [0, 1]).map((machine) => ({ version, machine })),
  );
  const of = (make: (value: number) => number): Float64Array =>
    Float64Array.from(rows, ({ version, machine }) => make(valueOf(0, version, points) * (1 + machine / 4)));
  return {
    facts: { machines: ["5f2c0000", "cpu=Model B; cpus=4"] },
    arrays: {
      series: Int32Array.from(rows, () => 0),
      machine: Int32Array.from(rows, ({ machine }) => machine),
      version: Int32Array.from(rows, ({ version }) => version),
      center: of((value) => value),
      low: of((value) => value - 0.1),
      high: of((value) => value + 0.1),
      n: Int32Array.from(rows, () => 8),
    },
  };
}
