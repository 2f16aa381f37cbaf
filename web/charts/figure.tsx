import type { Block, Figure, FlameBlock, TableBlock, TextBlock } from "../../src/core/figures/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import type { DrawnPicture, HoverTarget } from "../context/chart-drawing.ts";
import { usePage } from "../context/page-context.ts";
import { csvText } from "../model/csv-text.ts";
import { ExportButtons } from "./export-buttons.tsx";
import { Lines, Text, shown } from "../parts/text.tsx";
import { Caption } from "../parts/caption.tsx";
import { useWidth } from "../parts/element-width.ts";
import { FigureTable } from "../parts/figure-table.tsx";
import { FlameChart } from "./flame-chart.tsx";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

type PictureBlock = Exclude<Block, TextBlock | TableBlock | FlameBlock>;

/** Maximum width of a picture, in pixels. */
const maxWidth = 960;

/** A block as an inert image, with its data as a table below. */
function Picture({ block }: { readonly block: PictureBlock }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box, 640);
  const { charts, dark } = usePage();
  const picture = useLoaded(async () => {
    const wide = Math.min(maxWidth, width);
    const height = Math.round(Math.min(460, Math.max(260, wide * 0.52)));
    return (await charts()).draw(block, wide, height, dark);
  }, [block, width, dark]);
  return (
    <figure class="picture" ref={box}>
      <Caption of={block.caption} />
      <Loaded of={picture} what="the chart">
        {(drawn) => <PictureWithTooltip drawn={drawn} alt={altText(block)} />}
      </Loaded>
      <ExportButtons
        name={block.caption ?? altText(block)}
        csv={async () => tableCsv((await charts()).table(block))}
        svg={() => (picture.state === "there" ? picture.value.svg : Promise.reject(new Error("Nothing was drawn.")))}
      />
      <DataTable block={block} />
    </figure>
  );
}

/** Maximum distance in pixels between the pointer and a target. */
const hitRadius = 24;

/** A picture that shows a tooltip for the target under the pointer. */
function PictureWithTooltip({ drawn, alt }: { drawn: DrawnPicture; alt: string }): JSX.Element {
  const [at, setAt] = useState<HoverTarget | null>(null);
  const point = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    setAt(nearest(drawn.spots, event.clientX - box.left, event.clientY - box.top));
  };
  return (
    <div class="pointed" onPointerMove={point} onPointerLeave={() => setAt(null)}>
      <img alt={alt} src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg.toWellFormed())}`} />
      {at !== null && (
        <div class="tip" style={{ left: `${at.x}px`, top: `${at.y}px` }}>
          <Text of={at.text} short={200} />
        </div>
      )}
    </div>
  );
}

function nearest(spots: readonly HoverTarget[], x: number, y: number): HoverTarget | null {
  let [found, distance]: [HoverTarget | null, number] = [null, hitRadius];
  for (const spot of spots) {
    const away = Math.hypot(
      Math.max(0, Math.abs(spot.x - x) - spot.halfWidth),
      Math.max(0, Math.abs(spot.y - y) - spot.halfHeight),
    );
    if (away < distance) [found, distance] = [spot, away];
  }
  return found;
}

function altText(block: PictureBlock): string {
  const caption = shown(block.caption ?? "").slice(0, 120);
  const label = (axis: { readonly label: string }): string => shown(axis.label).slice(0, 60);
  const axes = block.kind === "chart" ? `${block.y.map(label).join(" and ")} over ${label(block.x)}` : "";
  return [caption, axes, "the data table is below"].filter((part) => part !== "").join(": ");
}

function tableCsv({ head, rows }: TableBlock): string {
  return csvText([head.map(({ label }) => label), ...rows]);
}

/** The data of a picture as a table, computed when opened. */
function DataTable({ block }: { block: PictureBlock }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { charts } = usePage();
  const table = useLoaded(async () => (isOpen ? (await charts()).table(block) : undefined), [block, isOpen]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Data table</summary>
      {isOpen && (
        <Loaded of={table} what="the table">
          {(data) => data !== undefined && <FigureTable table={{ ...data, caption: "" }} />}
        </Loaded>
      )}
    </details>
  );
}

interface FigureViewProps {
  readonly figure: Figure;
  /** false: the page shows the title itself. */
  readonly title?: boolean;
}

/** A figure, block by block. */
export function FigureView({ figure, title }: FigureViewProps): JSX.Element {
  return (
    <>
      {title !== false && figure.title !== "" && (
        <h2>
          <Text of={figure.title} short={300} />
        </h2>
      )}
      <div class={(figure.columns ?? 1) > 1 ? "columns" : ""}>
        {figure.blocks.map((block, i) => (
          <BlockView key={i} block={block} />
        ))}
      </div>
    </>
  );
}

function BlockView({ block }: { block: Block }): JSX.Element {
  if (block.kind === "text") return <Lines of={block.text} />;
  if (block.kind === "table") return <FigureTable table={block} />;
  if (block.kind === "flame") return <FlameChart block={block} />;
  return <Picture block={block} />;
}
