import type { TableBlock } from "../../core/figures/figure.ts";
import type { Allocation, Frame } from "../../query/profile/allocations.ts";

/** Lines shown before and behind one in which something is allocated. */
const around = 2;

/** The frame in which an allocation is made: the innermost with a source. */
export function placeOf({ trace }: Allocation): Frame | undefined {
  return trace.find(({ source, line }) => source !== "" && source !== "unreachable" && /^\d{1,9}$/.test(line));
}

/** The files in which allocations are made, in order of first appearance. */
export function sourcesOf(all: readonly Allocation[]): string[] {
  return [...new Set(all.flatMap((allocation) => placeOf(allocation)?.source ?? []))];
}

interface Sum {
  bytes: number;
  calls: number;
}

/**
 * The lines of sources in which something is allocated, with bytes and calls before them. `texts`: what files hold;
 * those that are not there are not listed.
 */
export function listings(all: readonly Allocation[], texts: ReadonlyMap<string, string>): TableBlock[] {
  return sourcesOf(all).flatMap((source) => {
    const text = texts.get(source);
    return text === undefined ? [] : listing(source, text.split(/\r?\n/), sumsIn(all, source));
  });
}

function sumsIn(all: readonly Allocation[], source: string): ReadonlyMap<number, Sum> {
  const sums = new Map<number, Sum>();
  for (const allocation of all) {
    const place = placeOf(allocation);
    if (place?.source !== source) continue;
    const sum = sums.get(Number(place.line)) ?? { bytes: 0, calls: 0 };
    sums.set(Number(place.line), sum);
    sum.bytes += allocation.bytes;
    sum.calls += 1;
  }
  return sums;
}

function listing(source: string, lines: readonly string[], sums: ReadonlyMap<number, Sum>): TableBlock[] {
  const wanted = new Set(
    [...sums.keys()].flatMap((line) => Array.from({ length: 2 * around + 1 }, (_, i) => line - around + i)),
  );
  const shown = [...wanted].filter((line) => line >= 1 && line <= lines.length).toSorted((a, b) => a - b);
  if (shown.length === 0) return [];
  const rows = shown.flatMap((line, at) => {
    const sum = sums.get(line);
    const own = [
      String(line),
      sum === undefined ? "" : String(sum.bytes),
      sum === undefined ? "" : String(sum.calls),
      lines[line - 1] ?? "",
    ];
    return at > 0 && shown[at - 1] !== line - 1 ? [["…", "", "", ""], own] : [own];
  });
  const right = (label: string) => ({ label, align: "right" }) as const;
  return [
    {
      kind: "table",
      caption: `${source}, as it is now`,
      head: [right("line"), right("bytes"), right("calls"), { label: "source", align: "left" }],
      rows,
    },
  ];
}
