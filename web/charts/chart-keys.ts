import type { ChartPoint } from "../model/chart-data.ts";
import { panned, type PointRange, zoomed } from "../model/chart-state.ts";
import type { History } from "../model/series-lines.ts";

/** A visible series. */
export interface DrawnLine {
  /** Position in the list of series, which gives its colour. */
  readonly at: number;
  readonly history: History;
}

interface KeyTarget {
  readonly lines: readonly DrawnLine[];
  readonly range: PointRange;
  readonly selected: ChartPoint;
  readonly onSelect: (point: ChartPoint, isFinal: boolean) => void;
  readonly onKeep: (point: ChartPoint) => void;
  readonly onRange: (range: PointRange) => void;
}

/** The slot of the range nearest to this one at which the history has a value. */
export function measuredNear({ center }: History, slot: number, { from, to }: PointRange): number {
  for (let away = 0; away <= to - from; away++)
    for (const each of [slot - away, slot + away])
      if (each >= from && each <= to && Number.isFinite(center[each])) return each;
  return slot;
}

export function onKey(event: KeyboardEvent, props: KeyTarget): void {
  const { range, selected, lines, onSelect, onRange } = props;
  const last = (lines[0]?.history.center.length ?? 1) - 1;
  const { key, shiftKey } = event;
  const history = lines.find(({ at }) => at === selected.line)?.history;
  const step = Math.max(1, Math.round((range.to - range.from) / 4));
  const sign = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const vertical = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (sign !== undefined && shiftKey) onRange(panned(range, sign * step, last));
  else if (vertical !== undefined && lines.length > 1) {
    const at = lines.findIndex(({ at: each }) => each === selected.line) + vertical;
    const next = lines.at(at % lines.length);
    if (next !== undefined) onSelect({ line: next.at, slot: measuredNear(next.history, selected.slot, range) }, true);
  } else if (key === "Enter" || key === " ") props.onKeep(selected);
  else if (key === "+" || key === "=") onRange(zoomed(range, selected.slot, 0.5, last));
  else if (key === "-") onRange(zoomed(range, selected.slot, 2, last));
  else if (key === "Escape") onRange({ from: 0, to: last });
  else if (!movesTo(key, selected.slot, range, history, (slot) => onSelect({ ...selected, slot }, true))) return;
  event.preventDefault();
}

/** Moves the selection by a key, over slots at which the series has no point. Returns whether the key does so. */
function movesTo(
  key: string,
  slot: number,
  { from, to }: PointRange,
  history: History | undefined,
  select: (slot: number) => void,
): boolean {
  const moves: Readonly<Record<string, readonly [start: number, sign: -1 | 1]>> = {
    ArrowLeft: [slot - 1, -1],
    ArrowRight: [slot + 1, 1],
    PageUp: [slot - 10, -1],
    PageDown: [slot + 10, 1],
    Home: [from, 1],
    End: [to, -1],
  };
  const move = moves[key];
  if (move === undefined) return false;
  const [start, sign] = move;
  for (let at = Math.min(to, Math.max(from, start)); at >= from && at <= to; at += sign)
    if (Number.isFinite(history?.center[at]) || at === from || at === to) {
      if (Number.isFinite(history?.center[at])) select(at);
      return true;
    }
  return true;
}
