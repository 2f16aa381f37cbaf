import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { exportedSvg } from "./chart-export.ts";
import { colorClass, dashOf, LineChart } from "./line-chart.tsx";
import { useDelayedParams } from "../context/delayed-params.ts";
import { type ChartData, type ChartPoint, chartCsv, slotDates } from "../model/chart-data.ts";
import {
  type ChartState,
  chartScales,
  chartState,
  panned,
  type PointRange,
  pointName,
  rangeName,
  scaledHistory,
  toggledPin,
  zoomed,
} from "../model/chart-state.ts";
import { commitLine } from "../model/commit-lines.ts";
import { dayText, deltaText, shortId, timeText, valueText } from "../model/number-text.ts";
import { releaseMarks } from "../model/series-lines.ts";
import { ExportButtons } from "./export-buttons.tsx";
import { Pins } from "./pins.tsx";
import { shown, Text } from "../parts/text.tsx";

type Params = Readonly<Record<string, string>>;

interface SeriesChartProps {
  readonly data: ChartData;
  /** Selected if the address selects none. */
  readonly start: ChartPoint;
  readonly params: Params;
  readonly onSet: (next: Params) => void;
  /** Points whose values are drawn as levels across the chart. */
  readonly levels?: readonly number[];
  /** Next to the chart: details of the selected point. */
  readonly children?: (selected: ChartPoint, select: (point: ChartPoint) => void) => ComponentChildren;
  /** Below the chart and its details. */
  readonly below?: (select: (point: ChartPoint) => void) => ComponentChildren;
}

/** Series over commits or time, with everything chosen in the address: scale, axis, range, selection, pins, legend. */
export function SeriesChart({ data, start, params, onSet, levels, children, below }: SeriesChartProps): JSX.Element {
  const delayed = useDelayedParams(params, onSet);
  const { setNow, setSoon } = delayed;
  const state = useMemo(() => chartState(data, delayed.params), [data, JSON.stringify(delayed.params)]);
  // Where the pointer is; the address selects a point again as soon as its own selection changes.
  const [hovered, setHovered] = useState<{ readonly point: ChartPoint; readonly over: string | undefined } | null>(
    null,
  );
  const box = useRef<HTMLDivElement>(null);
  const at = delayed.params["at"];
  const selected = (hovered?.over === at ? hovered?.point : undefined) ?? state.selected ?? start;
  const choose = (point: ChartPoint): void => {
    setHovered(null);
    setSoon({ at: pointName(data, point) });
  };
  const setRange = (range: PointRange): void => setSoon({ range: rangeName(data, range) });
  const keep = (point: ChartPoint): void => {
    setHovered(null);
    setNow({ at: pointName(data, point), pin: toggledPin(data, state.pins, point) });
  };
  return (
    <>
      <Controls data={data} state={state} selected={selected} onRange={setRange} onSet={setNow} box={box} />
      <div class={children === undefined ? "" : "side-by-side"}>
        <div ref={box}>
          <Drawn
            data={data}
            state={state}
            selected={selected}
            levels={levels ?? []}
            onSelect={(point, isFinal) => (isFinal ? choose(point) : setHovered({ point, over: at }))}
            onKeep={keep}
            onRange={setRange}
          />
          {data.lines.length > 1 && <Legend data={data} hidden={state.hidden} onSet={setNow} />}
        </div>
        {children?.(selected, choose)}
      </div>
      <Pins data={data} pins={state.pins} onRemove={(pin) => setNow({ pin: toggledPin(data, state.pins, pin) })} />
      {below?.(choose)}
    </>
  );
}

interface DrawnProps {
  readonly data: ChartData;
  readonly state: ChartState;
  readonly selected: ChartPoint;
  readonly levels: readonly number[];
  readonly onSelect: (point: ChartPoint, isFinal: boolean) => void;
  readonly onKeep: (point: ChartPoint) => void;
  readonly onRange: (range: PointRange) => void;
}

/** The chart of the visible series. */
function Drawn({ data, state, selected, ...others }: DrawnProps): JSX.Element {
  const { versions, slots, lines } = data;
  const { scale, hidden, range } = state;
  const drawn = useMemo(
    () => lines.flatMap(({ history }, at) => (hidden.has(at) ? [] : [{ at, history: scaledHistory(history, scale) }])),
    [lines, scale, hidden],
  );
  const dates = useMemo(() => slotDates(data), [data]);
  const marks = useMemo(() => releaseMarks({ version: slots }, versions), [data]);
  if (drawn.length === 0) return <p class="quiet">All series are hidden.</p>;
  const [unit = "", ...otherUnits] = new Set(lines.map(({ line }) => line.unit));
  const dateOf = (slot: number): number => commitLine(versions, slots[slot] ?? -1)?.date ?? 0;
  const whenText = dayText(dateOf(range.from)) === dayText(dateOf(range.to)) ? timeText : dayText;
  const tickUnit = otherUnits.length > 0 || unit.length > 6 ? "" : unit;
  return (
    <LineChart
      {...others}
      lines={drawn}
      label={lines.length > 1 ? `${drawn.length} series` : "History"}
      range={range}
      selected={selected}
      selectedText={pointText(data, selected)}
      pins={state.pins}
      marks={marks}
      hasBand={lines.length === 1}
      isLog={scale === "log"}
      isFromZero={state.isFromZero}
      positions={state.isOverTime ? dates : undefined}
      tickText={(value) => (scale === "relative" ? deltaText(value - 1) : valueText(value, tickUnit))}
      timeOf={(slot) => whenText(dateOf(slot))}
    />
  );
}

function pointText({ versions, slots, lines }: ChartData, { line: at, slot }: ChartPoint): string {
  const own = lines[at];
  const commit = commitLine(versions, slots[slot] ?? -1);
  const where = commit === undefined ? `point ${slot + 1}` : `${shortId(commit.id)} ${commit.subject.slice(0, 60)}`;
  const changed = own?.history.changes.includes(slot) === true ? ", a change" : "";
  const value = valueText(own?.history.center[slot] ?? Number.NaN, own?.line.unit ?? "");
  return `${lines.length > 1 ? `${own?.line.benchmark}: ` : ""}${value} at ${where}${changed}`;
}

interface ControlsProps extends Pick<DrawnProps, "data" | "state" | "selected" | "onRange"> {
  readonly onSet: (next: Params) => void;
  readonly box: { readonly current: HTMLElement | null };
}

function Controls({ data, state, selected, onRange, onSet, box }: ControlsProps): JSX.Element {
  const { scale, isOverTime, isFromZero, hidden, range } = state;
  const names = data.lines.map(({ line }) => shown(`${line.benchmark} ${line.metric}`));
  const title = data.lines.length === 1 ? (names[0] ?? "") : `${data.lines.length - hidden.size} series`;
  const svg = (): string => {
    const drawn = box.current?.querySelector<SVGSVGElement>(".history svg");
    if (drawn === null || drawn === undefined) throw new Error("There is no chart to export.");
    const legend = names.flatMap((label, at) =>
      hidden.has(at) ? [] : [{ label, line: colorClass(at), dash: dashOf(at) }],
    );
    return exportedSvg(drawn, title, data.lines.length === 1 ? [] : legend);
  };
  return (
    <div class="bar">
      <Zoom range={range} around={selected.slot} last={data.slots.length - 1} onRange={onRange} />
      <div class="choice" role="group" aria-label="Scale">
        {chartScales.map((each) => (
          <button key={each} type="button" aria-pressed={scale === each} onClick={() => onSet({ scale: each })}>
            {each === "relative" ? "relative to the first" : each}
          </button>
        ))}
      </div>
      {slotDates(data) !== undefined && (
        <div class="choice" role="group" aria-label="Axis">
          {["commits", "time"].map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={isOverTime === (each === "time")}
              onClick={() => onSet({ axis: each === "time" ? each : "" })}
            >
              {each}
            </button>
          ))}
        </div>
      )}
      <button
        type="button"
        aria-pressed={isFromZero}
        disabled={scale === "log"}
        onClick={() => onSet({ zero: isFromZero ? "" : "yes" })}
      >
        From zero
      </button>
      <ExportButtons name={title} csv={() => chartCsv(data, range, (at) => !hidden.has(at))} svg={svg} />
    </div>
  );
}

interface ZoomProps {
  readonly range: PointRange;
  readonly around: number;
  readonly last: number;
  readonly onRange: (range: PointRange) => void;
}

function Zoom({ range, around, last, onRange }: ZoomProps): JSX.Element {
  const isAll = range.from === 0 && range.to >= last;
  const step = Math.max(1, Math.round((range.to - range.from) / 2));
  const button = (label: string, text: string, next: PointRange, isDisabled: boolean): JSX.Element => (
    <button type="button" aria-label={label} disabled={isDisabled} onClick={() => onRange(next)}>
      {text}
    </button>
  );
  return (
    <>
      <div class="choice" role="group" aria-label="Zoom">
        {button("Zoom in", "+", zoomed(range, around, 0.5, last), last < 5)}
        {button("Zoom out", "−", zoomed(range, around, 2, last), isAll)}
        {button("Earlier", "←", panned(range, -step, last), range.from === 0)}
        {button("Later", "→", panned(range, step, last), range.to >= last)}
        {button("All points", "All", { from: 0, to: last }, isAll)}
      </div>
      {!isAll && (
        <span class="quiet" role="status">
          points {range.from + 1} to {range.to + 1} of {last + 1}
        </span>
      )}
    </>
  );
}

interface LegendProps extends Pick<ControlsProps, "data" | "onSet"> {
  readonly hidden: ReadonlySet<number>;
}

function Legend({ data: { lines }, hidden, onSet }: LegendProps): JSX.Element {
  const units = new Set(lines.map(({ line }) => line.unit));
  const toggled = (at: number): string =>
    lines
      .map((_, each) => each)
      .filter((each) => hidden.has(each) !== (each === at))
      .join(",");
  return (
    <ul class="legend" aria-label="Legend">
      {lines.map(({ line }, at) => (
        <li key={line.key}>
          <button type="button" aria-pressed={!hidden.has(at)} onClick={() => onSet({ hide: toggled(at) })}>
            <svg viewBox="0 0 24 8" aria-hidden="true">
              <line class={colorClass(at)} stroke-dasharray={dashOf(at)} x1="0" x2="24" y1="4" y2="4" />
            </svg>{" "}
            <Text of={`${line.benchmark} ${line.metric}${units.size > 1 ? ` [${line.unit}]` : ""}`} short={80} />
          </button>
        </li>
      ))}
    </ul>
  );
}
