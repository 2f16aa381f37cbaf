import type { JSX } from "preact";
import type { Block, Figure } from "../../src/core/figure.ts";
import { Lines, Text } from "../text.tsx";
import { FlameChart } from "./flame-chart.tsx";
import { Picture } from "./picture.tsx";
import { FigureTable } from "./figure-table.tsx";

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
