import type { SeriesColumns, VersionColumns } from "../../core/pages/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import { verdictOutcomes } from "../../core/verdicts/index.ts";
import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import type { PagedSeries } from "./paged-series.ts";
import type { BlockLayout } from "./point-blocks.ts";

/** The list of all series. */
export function seriesColumns(series: readonly PagedSeries[], { block, from }: BlockLayout): SeriesColumns {
  const texts = new Texts();
  const textsOf = (of: (paged: PagedSeries) => string): Int32Array =>
    Int32Array.from(series, (paged) => texts.indexOf(of(paged)));
  return {
    arrays: {
      benchmark: textsOf(({ series: { subject } }) => subject.benchmark),
      metric: textsOf(({ series: { subject } }) => subject.metric),
      unit: textsOf(({ series: { subject } }) => unitText(subject.unit)),
      key: textsOf(({ series: { subject } }) => subject.key),
      word: Uint8Array.from(series, ({ verdicts }) => verdictOutcomes.indexOf(verdicts[0]?.outcome ?? "inconclusive")),
      delta: Float64Array.from(series, ({ verdicts }) => verdicts[0]?.delta ?? Number.NaN),
      count: Int32Array.from(series, ({ line }) => line.values.length),
      last: Float64Array.from(series, ({ line }) => line.values.at(-1) ?? Number.NaN),
      better: Uint8Array.from(series, ({ series: { subject } }) => (subject.better === "higher" ? 1 : 0)),
      source: Uint8Array.from(series, ({ series: { subject } }) => (subject.source === "experiment" ? 1 : 0)),
      block,
      from,
    },
    facts: { texts: texts.all, words: verdictOutcomes },
  };
}

export function unitText(unit: PagedSeries["series"]["subject"]["unit"]): string {
  return unit === undefined ? "" : formatUnit(unit);
}

/** A string table. */
class Texts {
  readonly all: string[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    this.#indices.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/** A version of the history with its number of profiles. */
export interface PagedVersion {
  readonly version: MinorVersion;
  readonly profiles: number;
  /** Absent: none. */
  readonly tag?: string | undefined;
  /** Its tags and branches, and `HEAD`. */
  readonly names: readonly string[];
}

/** `versions`: the oldest first. */
export function versionColumns(versions: readonly PagedVersion[]): VersionColumns {
  const positions = new Map<VersionId, number>(versions.map(({ version }, at) => [version.id, at]));
  const positionOf = (id: VersionId | undefined): number => (id === undefined ? -1 : (positions.get(id) ?? -1));
  return {
    facts: {
      ids: versions.map(({ version }) => version.id),
      subjects: versions.map(({ version }) => version.description.split("\n", 1)[0] ?? ""),
      authors: versions.map(({ version }) => version.author),
      tags: versions.flatMap(({ tag }, at) => (tag === undefined ? [] : [[at, tag] as const])),
      names: versions.flatMap(({ names }, at) => names.map((name) => [at, name] as const)),
      bodies: bodiesOf(versions),
    },
    arrays: {
      date: Float64Array.from(versions, ({ version }) => version.date),
      parents: Int32Array.from(versions, ({ version }) => positionOf(version.parents[0])),
      profiles: Int32Array.from(versions, ({ profiles }) => profiles),
    },
  };
}

/** Longest part of a message, and of all messages together, so that reports of long histories stay small. */
const [mostOfBody, mostOfBodies] = [4000, 400_000];

function bodiesOf(versions: readonly PagedVersion[]): [index: number, text: string][] {
  const bodies: [number, string][] = [];
  let left = mostOfBodies;
  for (let at = versions.length - 1; at >= 0 && left > 0; at--) {
    const [, ...lines] = versions[at]!.version.description.split("\n");
    const body = lines.join("\n").trim().slice(0, mostOfBody);
    if (body === "") continue;
    bodies.push([at, body]);
    left -= body.length;
  }
  return bodies;
}
