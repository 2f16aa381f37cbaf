import type { Block, Figure, FlameBlock, TableBlock, TextBlock } from "../../src/core/figures/figure.ts";
import { Answered, useAnswer } from "../parts/answer.tsx";
import type { Drawn, Spot } from "../context/chart-drawing.ts";
import { usePage } from "../context/page-context.ts";
import { Lines, Text, shown } from "../parts/text.tsx";
import { Caption } from "../parts/caption.tsx";
import { useWidth } from "../parts/element-width.ts";
import { FigureTable } from "../parts/figure-table.tsx";
import { FlameChart } from "./flame-chart.tsx";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

type PictureBlock = Exclude<Block, TextBlock | TableBlock | FlameBlock>;

/** Beyond this many pixels pictures only get emptier. */
const widest = 960;

/** A block as the program draws it, as an image: nothing in it can act. Its numbers are below it as a table. */
function Picture({ block }: { readonly block: PictureBlock }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box, 640);
  const { charts, dark } = usePage();
  const picture = useAnswer(async () => {
    const wide = Math.min(widest, width);
    const height = Math.round(Math.min(460, Math.max(260, wide * 0.52)));
    return (await charts()).draw(block, wide, height, dark);
  }, [block, width, dark]);
  return (
    <figure class="picture" ref={box}>
      <Caption of={block.caption} />
      <Answered of={picture} what="the picture">
        {(drawn) => <Pointed drawn={drawn} alt={altText(block)} />}
      </Answered>
      <Numbers block={block} />
    </figure>
  );
}

/** Pixels from a point at which one still points at it. */
const reach = 24;

/** The picture; what it says of the point that one points at stands beside that point. */
function Pointed({ drawn, alt }: { drawn: Drawn; alt: string }): JSX.Element {
  const [at, setAt] = useState<Spot | null>(null);
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

function nearest(spots: readonly Spot[], x: number, y: number): Spot | null {
  let [found, distance]: [Spot | null, number] = [null, reach];
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
  const what =
    block.kind === "chart"
      ? `${block.y.map(({ label }) => shown(label).slice(0, 60)).join(" and ")} over ${shown(block.x.label).slice(0, 60)}`
      : "";
  return [caption, what, "the numbers are in the table below"].filter((part) => part !== "").join(": ");
}

/** Made only when somebody wants to see it. */
function Numbers({ block }: { block: PictureBlock }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { charts } = usePage();
  const table = useAnswer(async () => (isOpen ? (await charts()).table(block) : undefined), [block, isOpen]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Numbers</summary>
      {isOpen && (
        <Answered of={table} what="numbers">
          {(made) => made !== undefined && <FigureTable table={{ ...made, caption: "" }} />}
        </Answered>
      )}
    </details>
  );
}

interface FigureViewProps {
  readonly figure: Figure;
  /** Without one the title of the figure is left to the page. */
  readonly title?: boolean;
}

/** What a view drew, block by block. */
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
