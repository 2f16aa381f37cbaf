import type { FlameBlock, FlameGraph } from "../../src/core/figures/index.ts";
import { flameColors } from "../../src/plugins/renderers/drawing/flame-colors.ts";
import { frameText, graphNotes } from "../../src/plugins/renderers/drawing/flame-words.ts";
import { amountText, shareText } from "../model/amount-text.ts";
import { FlameCanvas } from "./flame-canvas.tsx";
import { functionGraph, functionSums } from "./flame-functions.ts";
import {
  changedRange,
  type FlameOrder,
  layoutFrames,
  type Matches,
  matches,
  neighbour,
  subtreeEnds,
} from "./flame-layout.ts";
import type { FlamePicture } from "./flame-painting.ts";
import { flameZoom, useFlameZoom } from "./flame-zoom.ts";
import { Text } from "../parts/text.tsx";
import { Caption } from "../parts/caption.tsx";
import { usePrinting } from "../parts/printing.ts";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

const columns: readonly VirtualColumn[] = [
  { label: "frame", width: "minmax(0, 3fr)" },
  { label: "self", width: "minmax(90px, 1fr)", right: true },
  { label: "share", width: "80px", right: true },
  { label: "total", width: "minmax(110px, 1fr)", right: true, optional: true },
];

/** Self and total amounts by function; `onChoose` makes the names buttons. */
function FlameTable({ graph, onChoose }: FlameTableProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const isShown = usePrinting() || isOpen;
  const sums = useMemo(() => (isShown ? functionSums(graph) : []), [graph, isShown]);
  const whole = graph.total[0] ?? 0;
  const cells = (row: number): JSX.Element[] => {
    const { name = "", self = 0, total = 0 } = sums[row] ?? {};
    const text = <Text of={name} short={300} />;
    return [
      onChoose === undefined ? (
        text
      ) : (
        <button type="button" class="plain" title="Show callers and callees" onClick={() => onChoose(name)}>
          {text}
        </button>
      ),
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

interface FlameTableProps {
  readonly graph: FlameGraph;
  readonly onChoose: ((name: string) => void) | undefined;
}

const defaultFrameHeight = 18;

/** A flame graph with search, orders, callers and callees of one function, and its functions as a table. */
export function FlameChart({ block }: { readonly block: FlameBlock }): JSX.Element {
  const { graph } = block;
  const ends = useMemo(() => subtreeEnds(graph), [graph]);
  const [text, setText] = useState("");
  const [order, setOrder] = useState<FlameOrder>(() => (graph.byTime === true ? "name" : flameZoom().order));
  const [chosen, setChosen] = useState("");
  const found = useMemo(() => (text === "" ? null : matches(graph, ends, text)), [graph, ends, text]);
  const name = chosen === "" ? -1 : graph.names.indexOf(chosen);
  // Callers in an inverted graph are its callees; the amounts of a comparison are not merged.
  const canChoose = graph.form === "plain" && graph.before === undefined;
  return (
    <figure class="flame">
      <Caption of={block.caption} />
      <FlameBar graph={graph} text={text} matches={found} order={order} onText={setText} onOrder={setOrder} />
      {name < 0 ? (
        <FlameFrames block={block} order={order} text={text} hasMinimap onChoose={canChoose ? setChosen : undefined} />
      ) : (
        <Sandwich block={block} ends={ends} name={name} order={order} text={text} onChoose={setChosen} />
      )}
      <FlameTable graph={graph} onChoose={canChoose ? setChosen : undefined} />
    </figure>
  );
}

/** Callers of a function above its callees, each merged over all calls. */
function Sandwich({ block, ends, name, order, text, onChoose }: SandwichProps): JSX.Element {
  const { graph } = block;
  const [callers, callees] = useMemo(
    () => (["callers", "callees"] as const).map((side) => functionGraph(graph, ends, name, side)),
    [graph, ends, name],
  );
  const shared = { order, text, onChoose };
  return (
    <div class="sandwich">
      <p>
        Callers and callees of <Text of={graph.names[name] ?? ""} short={300} code />{" "}
        <button type="button" onClick={() => onChoose("")}>
          Back to the whole graph
        </button>
      </p>
      {callers !== undefined && <FlameFrames block={{ ...block, graph: callers, grows: "up" }} {...shared} />}
      {callees !== undefined && <FlameFrames block={{ ...block, graph: callees, grows: "down" }} {...shared} />}
    </div>
  );
}

interface SandwichProps {
  readonly block: FlameBlock;
  readonly ends: Int32Array;
  /** Index of the function. */
  readonly name: number;
  readonly order: FlameOrder;
  readonly text: string;
  /** Empty: the whole graph. */
  readonly onChoose: (name: string) => void;
}

interface FlameFramesProps extends Pick<SandwichProps, "block" | "order" | "text"> {
  readonly hasMinimap?: boolean;
  readonly onChoose: ((name: string) => void) | undefined;
}

/** The frames of one graph, and the amounts of the focused one. */
function FlameFrames({ block, order, text, hasMinimap = false, onChoose }: FlameFramesProps): JSX.Element {
  const { graph } = block;
  const whole = { left: 0, width: graph.total[0] ?? 0 };
  const [range, setRange] = useState(() => {
    const { left, width } = hasMinimap ? flameZoom() : { left: 0, width: 1 };
    return { left: left * whole.width, width: width * whole.width };
  });
  useFlameZoom(range, whole.width, order, hasMinimap);
  const [at, setAt] = useState(0);
  const ends = useMemo(() => subtreeEnds(graph), [graph]);
  const picture = usePicture(block, ends, order, text);
  const { layout, grows } = picture;
  const zoom = (frame: number): void => {
    setRange({ left: layout.x[frame] ?? 0, width: graph.total[frame] ?? 0 });
    setAt(frame);
  };
  const isNew = useRef(true);
  useEffect(() => {
    if (!isNew.current) zoom(0);
    isNew.current = false;
  }, [graph, order]);
  const choose = (): void => onChoose?.(graph.names[graph.name[at] ?? 0] ?? "");
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => zoom(at),
    " ": () => zoom(at),
    Escape: () => zoom(0),
    "+": () => setRange(changedRange(range, whole.width, { factor: 0.5, center: range.left + range.width / 2 })),
    "-": () => setRange(changedRange(range, whole.width, { factor: 2, center: range.left + range.width / 2 })),
    c: () => (at === 0 ? undefined : choose()),
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isSideways = event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight");
    const shift = ((event.key === "ArrowRight" ? 1 : -1) * range.width) / 4;
    if (isSideways) setRange(changedRange(range, whole.width, { center: range.left, shift }));
    else if (event.key.startsWith("Arrow")) setAt(neighbour(graph, ends, layout, at, turned(event.key, grows)));
    else if (Object.hasOwn(keys, event.key)) keys[event.key]?.();
    else return;
    event.preventDefault();
  };
  const isZoomed = range.width < whole.width;
  return (
    <>
      <FlameCanvas
        picture={picture}
        range={range}
        onRange={setRange}
        at={at}
        onLook={setAt}
        onZoom={zoom}
        onKey={onKey}
        label={flameLabel(graph, onChoose !== undefined)}
        hasMinimap={hasMinimap}
      />
      <div class="details" aria-live="polite">
        <b>
          <Text of={graph.names[graph.name[at] ?? 0] ?? ""} short={600} />
        </b>{" "}
        {frameText(graph, at)}
      </div>
      <div class="bar">
        <button type="button" onClick={() => zoom(0)} disabled={!isZoomed}>
          Show all
        </button>
        {onChoose !== undefined && (
          <button type="button" onClick={choose} disabled={at === 0}>
            Callers and callees
          </button>
        )}
      </div>
    </>
  );
}

function usePicture(block: FlameBlock, ends: Int32Array, order: FlameOrder, text: string): FlamePicture {
  const { graph, minWidth = 0, frameHeight, grows = "down" } = block;
  const layout = useMemo(() => layoutFrames(graph, ends, order, minWidth), [graph, ends, order, minWidth]);
  const colorOf = useMemo(() => flameColors(block), [graph, block.colors, block.intensity]);
  return useMemo(
    () => ({
      graph,
      layout,
      grows,
      rowHeight: frameHeight ?? defaultFrameHeight,
      colorOf,
      found: text === "" ? null : matches(graph, ends, text),
    }),
    [graph, layout, grows, frameHeight, colorOf, ends, text],
  );
}

/** The arrow key for a graph that grows downwards. */
function turned(key: string, grows: "up" | "down"): string {
  if (grows === "down") return key;
  return key === "ArrowUp" ? "ArrowDown" : key === "ArrowDown" ? "ArrowUp" : key;
}

function flameLabel(graph: FlameGraph, canChoose: boolean): string {
  const what = graph.form === "inverted" ? "Flame graph of callers" : "Flame graph";
  const keys =
    "arrow keys move between frames, Enter zooms in, plus and minus zoom, Shift and arrows move, Escape shows all";
  return `${what}: ${keys}${canChoose ? ", C shows callers and callees" : ""}`;
}

interface FlameBarProps {
  readonly graph: FlameGraph;
  readonly text: string;
  readonly matches: Matches | null;
  readonly order: FlameOrder;
  readonly onText: (text: string) => void;
  readonly onOrder: (order: FlameOrder) => void;
}

function FlameBar({ graph, text, matches: found, order, onText, onOrder }: FlameBarProps): JSX.Element {
  const whole = graph.total[0] ?? 0;
  return (
    <div class="bar">
      <label>
        Search frames
        <input type="search" value={text} onInput={(event) => onText(event.currentTarget.value)} />
      </label>
      {graph.byTime !== true && (
        <label>
          Order
          <select value={order} onChange={(event) => onOrder(event.currentTarget.value as FlameOrder)}>
            <option value="name">by name</option>
            <option value="amount">largest first</option>
          </select>
        </label>
      )}
      <span class="quiet" role="status">
        {found !== null &&
          `${found.frames} frames match: ${amountText(found.total, graph.unit)}, ${shareText(found.total, whole)}`}
      </span>
      <span class="quiet">
        <Text of={graph.quantity} short={40} />: {amountText(whole, graph.unit)} total
        {graph.form === "inverted" && ", callers below callees"}
        {graph.before !== undefined && " · red grew, blue shrank"}
        {graph.byTime === true && ", from left to right in the order of time"}
        {graphNotes(graph).map((note) => ` · ${note}`)}
      </span>
    </div>
  );
}
