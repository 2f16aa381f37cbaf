import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { SeriesColumns, VersionColumns } from "../../src/core/pages/index.ts";
import { linearScale, logScale, type Scale } from "../../src/math/plotting/index.ts";
import { usePage } from "../context/page-context.ts";
import { href } from "../context/route.ts";
import { commitLine } from "../model/commit-lines.ts";
import { dayText, deltaText, shortId, valueText } from "../model/number-text.ts";
import { type History, historyOf, seriesLine, type SeriesLine } from "../model/series-lines.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { useWidth } from "../parts/element-width.ts";
import { shown, Text } from "../parts/text.tsx";

/** Scales of the values; relative: to the first point of each series. */
const scales = ["absolute", "relative", "log"] as const;

/** Distinguishes more series than colours; both repeat with different periods. */
const dashes = ["", "6 3", "2 3", "8 3 2 3"];
const colorCount = 7;

type Params = Readonly<Record<string, string>>;

interface SeriesOverlayProps {
  readonly columns: SeriesColumns;
  readonly indexes: readonly number[];
  /** `scale`; `hide` and `pin`: positions in the list of series, pins with the commit: `0@1f2e3d4c5b`. */
  readonly params: Params;
  readonly onSet: (next: Params) => void;
}

/** Several series in one chart over commits, with a legend that hides them, release tags and pinned points. */
export function SeriesOverlay({ columns, indexes, params, onSet }: SeriesOverlayProps): JSX.Element {
  const { source, revision } = usePage();
  const loaded = useLoaded(async () => {
    const load = async (index: number): Promise<OverlayLine> => {
      const block = await source.points(columns.arrays.block[index] ?? 0);
      return { line: seriesLine(columns, index), history: historyOf(columns, index, block) };
    };
    const [versions, lines] = await Promise.all([source.versions(), Promise.all(indexes.map(load))]);
    return { versions, lines };
  }, [revision, columns, indexes.join()]);
  return (
    <Loaded of={loaded} what="points">
      {({ versions, lines }) => <Overlay versions={versions} lines={lines} params={params} onSet={onSet} />}
    </Loaded>
  );
}

interface OverlayLine {
  readonly line: SeriesLine;
  readonly history: History;
}

interface OverlayProps extends Pick<SeriesOverlayProps, "params" | "onSet"> {
  readonly versions: VersionColumns;
  readonly lines: readonly OverlayLine[];
}

const partsOf = (text = ""): readonly string[] => text.split(",").filter((part) => part !== "");

function Overlay({ versions, lines, params, onSet }: OverlayProps): JSX.Element {
  const units = new Set(lines.map(({ line }) => line.unit));
  // Values of different units have no common axis.
  const scale = scales.find((each) => each === params["scale"]) ?? (units.size > 1 ? "relative" : "absolute");
  const hidden = new Set(partsOf(params["hide"]).map(Number));
  const toggled = (text: string | undefined, part: string): string => {
    const parts = partsOf(text);
    return (parts.includes(part) ? parts.filter((each) => each !== part) : [...parts, part]).join(",");
  };
  return (
    <>
      <div class="bar">
        <div class="choice" role="group" aria-label="Scale">
          {scales.map((each) => (
            <button key={each} type="button" aria-pressed={scale === each} onClick={() => onSet({ scale: each })}>
              {each === "relative" ? "relative to the first" : each}
            </button>
          ))}
        </div>
      </div>
      <OverlayChart
        versions={versions}
        lines={lines}
        scale={scale}
        hidden={hidden}
        pins={partsOf(params["pin"])}
        onPin={(pin) => onSet({ pin: toggled(params["pin"], pin) })}
      />
      <ul class="legend" aria-label="Legend">
        {lines.map(({ line }, at) => (
          <li key={line.key}>
            <button
              type="button"
              aria-pressed={!hidden.has(at)}
              onClick={() => onSet({ hide: toggled(params["hide"], String(at)) })}
            >
              <svg viewBox="0 0 24 8" aria-hidden="true">
                <line
                  class={`line color-${at % colorCount}`}
                  stroke-dasharray={dashOf(at)}
                  x1="0"
                  x2="24"
                  y1="4"
                  y2="4"
                />
              </svg>{" "}
              <Text of={`${line.benchmark} ${line.metric}${units.size > 1 ? ` [${line.unit}]` : ""}`} short={80} />
            </button>
          </li>
        ))}
      </ul>
      <Pins versions={versions} lines={lines} pins={partsOf(params["pin"])} />
    </>
  );
}

const dashOf = (at: number): string => dashes[Math.floor(at / colorCount) % dashes.length] ?? "";

interface OverlayChartProps {
  readonly versions: VersionColumns;
  readonly lines: readonly OverlayLine[];
  readonly scale: (typeof scales)[number];
  readonly hidden: ReadonlySet<number>;
  readonly pins: readonly string[];
  readonly onPin: (pin: string) => void;
}

interface PlottedPoint {
  readonly series: number;
  readonly commit: number;
  readonly value: number;
}

/** The points of the visible series, in the chosen scale. */
function plottedPoints({ lines, scale, hidden }: OverlayChartProps): PlottedPoint[] {
  return lines.flatMap(({ history }, series) => {
    const first = Array.from(history.center).find((value) => Number.isFinite(value) && value !== 0) ?? Number.NaN;
    return Array.from(history.center, (center, at) => ({
      series,
      commit: history.version[at] ?? -1,
      value: scale === "relative" ? center / first : center,
    })).filter(
      ({ commit, value }) =>
        !hidden.has(series) && commit >= 0 && Number.isFinite(value) && (scale !== "log" || value > 0),
    );
  });
}

const [left, right, top, bottom] = [70, 12, 14, 30];

interface OverlayShape {
  readonly width: number;
  readonly height: number;
  readonly points: readonly PlottedPoint[];
  readonly y: Scale;
  /** First and last commit. */
  readonly from: number;
  readonly to: number;
  xOf(commit: number): number;
  yOf(value: number): number;
}

function overlayShape(points: readonly PlottedPoint[], isLog: boolean, width: number): OverlayShape {
  const height = width < 600 ? 240 : 320;
  const extent = (of: (point: PlottedPoint) => number): [number, number] =>
    points.reduce<[number, number]>(
      ([low, high], point) => [Math.min(low, of(point)), Math.max(high, of(point))],
      [Infinity, -Infinity],
    );
  const y = (isLog ? logScale : linearScale)(...extent(({ value }) => value), 6);
  const [from, to] = extent(({ commit }) => commit);
  const xOf = (commit: number): number => left + ((commit - from) / Math.max(1, to - from)) * (width - left - right);
  const yOf = (value: number): number => top + (1 - y.at(value)) * (height - top - bottom);
  return { width, height, points, y, from, to, xOf, yOf };
}

function OverlayChart(props: OverlayChartProps): JSX.Element {
  const { versions, lines, scale, pins, onPin } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 900);
  const points = plottedPoints(props);
  const shape = overlayShape(points, scale === "log", width);
  const pinOf = ({ series, commit }: PlottedPoint): string => `${series}@${shortId(versions.facts.ids[commit] ?? "")}`;
  const pinNearest = (event: MouseEvent): void => {
    const area = (event.currentTarget as SVGElement).getBoundingClientRect();
    const away = ({ commit, value }: PlottedPoint): number =>
      Math.hypot(shape.xOf(commit) - (event.clientX - area.left), shape.yOf(value) - (event.clientY - area.top));
    onPin(pinOf(points.reduce((best, point) => (away(point) < away(best) ? point : best))));
  };
  return (
    <div class="history overlay" ref={box}>
      {points.length === 0 ? (
        <p class="quiet">No points are visible.</p>
      ) : (
        <svg
          viewBox={`0 0 ${width} ${shape.height}`}
          height={shape.height}
          role="img"
          aria-label={`${lines.length} series over commits; the list below has their names`}
          onClick={pinNearest}
        >
          <OverlayAxes {...props} shape={shape} />
          {lines.map((_, at) => (
            <OverlayPath key={at} at={at} shape={shape} />
          ))}
          {points
            .filter((point) => pins.includes(pinOf(point)))
            .map((point) => (
              <circle key={pinOf(point)} class="ring" cx={shape.xOf(point.commit)} cy={shape.yOf(point.value)} r="5" />
            ))}
        </svg>
      )}
    </div>
  );
}

function OverlayPath({ at, shape }: { readonly at: number; readonly shape: OverlayShape }): JSX.Element | null {
  const own = shape.points.filter(({ series }) => series === at);
  const steps = own.map(({ commit, value }) => `${shape.xOf(commit).toFixed(1)} ${shape.yOf(value).toFixed(1)}`);
  if (steps.length === 0) return null;
  return <path class={`line color-${at % colorCount}`} stroke-dasharray={dashOf(at)} d={`M${steps.join("L")}`} />;
}

interface OverlayAxesProps extends Pick<OverlayChartProps, "versions" | "lines" | "scale"> {
  readonly shape: OverlayShape;
}

/** Labels of both axes, and the release tags. */
function OverlayAxes({ versions, lines, scale, shape }: OverlayAxesProps): JSX.Element {
  const { width, height, y, from, to, xOf, yOf } = shape;
  const [unit = "", ...otherUnits] = new Set(lines.map(({ line }) => line.unit));
  return (
    <>
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={width - right} y1={yOf(tick)} y2={yOf(tick)} />
          <text x={left - 8} y={yOf(tick) + 4} text-anchor="end">
            {scale === "relative" ? deltaText(tick - 1) : valueText(tick, otherUnits.length > 0 ? "" : unit)}
          </text>
        </g>
      ))}
      {versions.facts.tags
        .filter(([commit]) => commit >= from && commit <= to)
        .map(([commit, name]) => (
          <g key={commit} class="release">
            <line x1={xOf(commit)} x2={xOf(commit)} y1={top} y2={height - bottom} />
            <text x={Math.min(xOf(commit) + 3, width - 60)} y={top + 8}>
              {shown(name).slice(0, 16)}
            </text>
          </g>
        ))}
      {[from, to].map((commit, at) => (
        <text key={at} x={xOf(commit)} y={height - 6} text-anchor={at === 0 ? "start" : "end"}>
          {dayText(versions.arrays.date[commit] ?? 0)}
        </text>
      ))}
    </>
  );
}

/** The pinned points with their values and commits. */
function Pins({ versions, lines, pins }: Pick<OverlayChartProps, "versions" | "lines" | "pins">): JSX.Element {
  const found = pins.flatMap((pin) => {
    const [at = "", id = ""] = pin.split("@");
    const own = lines[Number(at)];
    const point =
      own === undefined
        ? -1
        : Array.from(own.history.version).findIndex((commit) => versions.facts.ids[commit]?.startsWith(id) === true);
    const commit = commitLine(versions, own?.history.version[point] ?? -1);
    return own === undefined || commit === undefined ? [] : [{ pin, own, point, commit }];
  });
  if (found.length === 0) return <p class="quiet">Click a point to keep it here.</p>;
  return (
    <ul class="evidence" aria-label="Pinned points">
      {found.map(({ pin, own: { line, history }, point, commit }) => (
        <li key={pin}>
          <Text of={valueText(history.center[point] ?? Number.NaN, line.unit)} short={30} />{" "}
          <a href={href("series", line.key)}>
            <Text of={`${line.benchmark} ${line.metric}`} short={100} />
          </a>{" "}
          at{" "}
          <a class="code" href={href("commits", commit.id)}>
            {shortId(commit.id)}
          </a>{" "}
          <Text of={commit.subject} short={80} />
        </li>
      ))}
    </ul>
  );
}
