import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { FlameBlock } from "../../src/core/figure.ts";
import type { FlameGraph } from "../../src/core/flame-graph.ts";
import { amountText, shareText } from "../amounts.ts";
import { changeColor, nameColor } from "../flame-colors.ts";
import { type Matches, matches, neighbour, type PlacedFrame, placedFrames, subtreeEnds } from "../flame-layout.ts";
import { deltaText } from "../numbers.ts";
import { shown, Text } from "../text.tsx";
import { useWidth } from "./element-width.ts";
import { FlameTable } from "./flame-table.tsx";

const rowHeight = 18;
const letterWidth = 6.7;

/** A flame graph to look around in: a click or Enter zooms, the arrow keys go from frame to frame, Escape shows all; names are searched. */
export function FlameChart({ block }: { readonly block: FlameBlock }): JSX.Element {
  const { graph } = block;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 900);
  const ends = useMemo(() => subtreeEnds(graph), [graph]);
  const [top, setTop] = useState(0);
  const [at, setAt] = useState(0);
  const [text, setText] = useState("");
  const placed = useMemo(() => placedFrames(graph, ends, top, width), [graph, ends, top, width]);
  const found = useMemo(() => (text === "" ? null : matches(graph, ends, text)), [graph, ends, text]);
  const rows = placed.reduce((most, { row }) => Math.max(most, row + 1), 1);
  const zoom = (frame: number): void => {
    setTop(frame);
    setAt(frame);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || event.key === " ") zoom(at);
    else if (event.key === "Escape") zoom(0);
    else if (event.key.startsWith("Arrow")) setAt(neighbour(graph, ends, at, event.key));
    else return;
    event.preventDefault();
  };
  return (
    <figure class="flame">
      {(block.caption ?? "") !== "" && (
        <figcaption>
          <Text of={block.caption ?? ""} short={300} />
        </figcaption>
      )}
      <FlameBar graph={graph} text={text} found={found} isZoomed={top !== 0} onText={setText} onReset={() => zoom(0)} />
      <div
        class="frames"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label="Flame graph: arrow keys go from frame to frame, Enter zooms, Escape shows all"
        onKeyDown={onKey}
      >
        <svg width={width} height={rows * rowHeight} viewBox={`0 0 ${width} ${rows * rowHeight}`} aria-hidden="true">
          {placed.map((place) => (
            <Frame
              key={place.frame}
              place={place}
              graph={graph}
              isMatch={found === null ? null : isMatch(graph, found, place.frame)}
              isAt={place.frame === at}
              onLook={setAt}
              onZoom={zoom}
            />
          ))}
        </svg>
      </div>
      <FrameDetails graph={graph} frame={at} />
      <FlameTable graph={graph} />
    </figure>
  );
}

function isMatch(graph: FlameGraph, found: Matches, frame: number): boolean {
  return found.names[graph.name[frame] ?? 0] === 1;
}

function frameName(graph: FlameGraph, frame: number): string {
  return shown(graph.names[graph.name[frame] ?? 0] ?? "");
}

interface FlameBarProps {
  readonly graph: FlameGraph;
  readonly text: string;
  readonly found: Matches | null;
  readonly isZoomed: boolean;
  readonly onText: (text: string) => void;
  readonly onReset: () => void;
}

function FlameBar({ graph, text, found, isZoomed, onText, onReset }: FlameBarProps): JSX.Element {
  const whole = graph.total[0] ?? 0;
  return (
    <div class="bar">
      <label>
        Search frames
        <input type="search" value={text} onInput={(event) => onText(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={onReset} disabled={!isZoomed}>
        Show all
      </button>
      <span class="quiet" role="status">
        {found !== null && `${found.frames} frames fit: ${amountText(found.total, graph.unit)}, ${shareText(found.total, whole)}`}
      </span>
      <span class="quiet">
        <Text of={graph.quantity} short={40} />: {amountText(whole, graph.unit)} in all
        {graph.form === "inverted" && ", callers below what they called"}
        {graph.before !== undefined && " · orange grew, blue shrank"}
      </span>
    </div>
  );
}

interface FrameProps {
  readonly place: PlacedFrame;
  readonly graph: FlameGraph;
  /** null: nothing is searched for. */
  readonly isMatch: boolean | null;
  readonly isAt: boolean;
  readonly onLook: (frame: number) => void;
  readonly onZoom: (frame: number) => void;
}

function Frame({ place, graph, isMatch, isAt, onLook, onZoom }: FrameProps): JSX.Element {
  const name = frameName(graph, place.frame);
  const letters = Math.floor((place.width - 6) / letterWidth);
  const label = letters < 3 ? "" : name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
  const color = isMatch === true ? "var(--hit)" : graph.before === undefined ? nameColor(name) : changeColor(graph, place.frame);
  return (
    <g
      class={`frame${isMatch === false ? " dim" : ""}${isAt ? " at" : ""}`}
      onClick={() => onZoom(place.frame)}
      onPointerEnter={() => onLook(place.frame)}
    >
      <rect x={place.x} y={place.row * rowHeight} width={Math.max(0.5, place.width - 0.5)} height={rowHeight - 1} fill={color} rx="1" />
      {label !== "" && (
        <text x={place.x + 3} y={place.row * rowHeight + 12.5}>
          {label}
        </text>
      )}
    </g>
  );
}

/** What the frame is that one points at or has come to. */
function FrameDetails({ graph, frame }: { graph: FlameGraph; frame: number }): JSX.Element {
  const [total, self] = [graph.total[frame] ?? 0, graph.self[frame] ?? 0];
  const [before, after] = [graph.before?.[frame], graph.after?.[frame]];
  return (
    <div class="details" aria-live="polite">
      <b>
        <Text of={graph.names[graph.name[frame] ?? 0] ?? ""} short={600} />
      </b>{" "}
      {amountText(total, graph.unit)}, {shareText(total, graph.total[0] ?? 0)}; itself {amountText(self, graph.unit)}
      {before !== undefined && after !== undefined && (
        <>
          ; before {amountText(before, graph.unit)}, after {amountText(after, graph.unit)} (
          {deltaText(before === 0 ? null : after / before - 1)})
        </>
      )}
    </div>
  );
}
