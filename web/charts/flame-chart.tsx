import type { FlameBlock, FlameGraph } from "../../src/core/figures/index.ts";
import { flameColors } from "../../src/plugins/renderers/drawing/flame-colors.ts";
import { frameText } from "../../src/plugins/renderers/drawing/flame-words.ts";
import { amountText, shareText } from "../model/amount-text.ts";
import {
  type Matches,
  matches,
  neighbour,
  type LaidOutFrame,
  layoutFrames,
  subtreeEnds,
  functionSums,
} from "./flame-layout.ts";
import { shown, Text } from "../parts/text.tsx";
import { Caption } from "../parts/caption.tsx";
import { useWidth } from "../parts/element-width.ts";
import { usePrinting } from "../parts/printing.ts";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";

const columns: readonly VirtualColumn[] = [
  { label: "frame", width: "minmax(0, 3fr)" },
  { label: "self", width: "minmax(90px, 1fr)", right: true },
  { label: "share", width: "80px", right: true },
  { label: "total", width: "minmax(110px, 1fr)", right: true, optional: true },
];

/** Self and total amounts by function. */
function FlameTable({ graph }: { readonly graph: FlameGraph }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const isShown = usePrinting() || isOpen;
  const sums = useMemo(() => (isShown ? functionSums(graph) : []), [graph, isShown]);
  const whole = graph.total[0] ?? 0;
  const cells = (row: number): JSX.Element[] => {
    const { name = "", self = 0, total = 0 } = sums[row] ?? {};
    return [
      <Text of={name} short={300} />,
      <>{amountText(self, graph.unit)}</>,
      <>{shareText(self, whole)}</>,
      <>{amountText(total, graph.unit)}</>,
    ];
  };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Frames as a table</summary>
      {isShown && <VirtualRows label="Frames" columns={columns} count={sums.length} cells={cells} />}
    </details>
  );
}

const defaultFrameHeight = 18;
const letterWidth = 6.7;

/**
 * An interactive flame graph: click or Enter zooms in, the arrow keys move between frames, Escape resets the zoom, and
 * frames can be searched by name.
 */
export function FlameChart({ block }: { readonly block: FlameBlock }): JSX.Element {
  const { graph } = block;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 900);
  const ends = useMemo(() => subtreeEnds(graph), [graph]);
  const [top, setTop] = useState(0);
  const [at, setAt] = useState(0);
  const [text, setText] = useState("");
  const colorOf = useMemo(() => flameColors(block), [block]);
  const layouts = useMemo(
    () => layoutFrames(graph, ends, { top, width, minWidth: block.minWidth ?? 0 }),
    [block, ends, top, width],
  );
  const found = useMemo(() => (text === "" ? null : matches(graph, ends, text)), [graph, ends, text]);
  const rowHeight = block.frameHeight ?? defaultFrameHeight;
  const rows = layouts.reduce((most, { row }) => Math.max(most, row + 1), 1);
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
      <Caption of={block.caption} />
      <FlameBar
        graph={graph}
        text={text}
        matches={found}
        isZoomed={top !== 0}
        onText={setText}
        onReset={() => zoom(0)}
      />
      <div
        class="frames"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label="Flame graph: arrow keys move between frames, Enter zooms in, Escape shows all"
        onKeyDown={onKey}
      >
        <svg width={width} height={rows * rowHeight} viewBox={`0 0 ${width} ${rows * rowHeight}`} aria-hidden="true">
          {layouts.map((each) => (
            <Frame
              key={each.frame}
              layout={each}
              y={(block.grows === "up" ? rows - 1 - each.row : each.row) * rowHeight}
              height={rowHeight}
              graph={graph}
              color={colorOf(each.frame)}
              isMatch={found === null ? null : isMatch(graph, found, each.frame)}
              isAt={each.frame === at}
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
  readonly matches: Matches | null;
  readonly isZoomed: boolean;
  readonly onText: (text: string) => void;
  readonly onReset: () => void;
}

function FlameBar({ graph, text, matches: found, isZoomed, onText, onReset }: FlameBarProps): JSX.Element {
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
        {found !== null &&
          `${found.frames} frames match: ${amountText(found.total, graph.unit)}, ${shareText(found.total, whole)}`}
      </span>
      <span class="quiet">
        <Text of={graph.quantity} short={40} />: {amountText(whole, graph.unit)} total
        {graph.form === "inverted" && ", callers below callees"}
        {graph.before !== undefined && " · red grew, blue shrank"}
      </span>
    </div>
  );
}

interface FrameProps {
  readonly layout: LaidOutFrame;
  readonly graph: FlameGraph;
  readonly color: string;
  readonly y: number;
  readonly height: number;
  /** null: no search is active. */
  readonly isMatch: boolean | null;
  readonly isAt: boolean;
  readonly onLook: (frame: number) => void;
  readonly onZoom: (frame: number) => void;
}

function Frame({ layout, graph, color, y, height, isMatch, isAt, onLook, onZoom }: FrameProps): JSX.Element {
  const name = frameName(graph, layout.frame);
  const letters = Math.floor((layout.width - 6) / letterWidth);
  const label = letters < 3 ? "" : name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
  return (
    <g
      class={`frame${isMatch === false ? " dim" : ""}${isAt ? " at" : ""}`}
      onClick={() => onZoom(layout.frame)}
      onPointerEnter={() => onLook(layout.frame)}
    >
      <rect
        x={layout.x}
        y={y}
        width={Math.max(0.5, layout.width - 0.5)}
        height={height - 1}
        fill={isMatch === true ? "var(--hit)" : color}
        rx="1"
      />
      {label !== "" && (
        <text x={layout.x + 3} y={y + height / 2 + 3.5}>
          {label}
        </text>
      )}
    </g>
  );
}

/** Name and amounts of the focused frame. */
function FrameDetails({ graph, frame }: { graph: FlameGraph; frame: number }): JSX.Element {
  return (
    <div class="details" aria-live="polite">
      <b>
        <Text of={graph.names[graph.name[frame] ?? 0] ?? ""} short={600} />
      </b>{" "}
      {frameText(graph, frame)}
    </div>
  );
}
