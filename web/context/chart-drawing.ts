import type { Block, TableBlock, TextBlock } from "../../src/core/figures/figure.ts";

/**
 * Something in a picture that one can point at: pixels from the upper left corner to its middle, and how far it reaches
 * from there.
 */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly text: string;
}

/** A picture, and what one can point at in it. */
export interface Drawn {
  readonly svg: string;
  readonly spots: readonly Spot[];
}

/** What the script of charts hands over. */
export interface ChartDrawing {
  /**
   * An `<svg>` document, the same as `perfkeep` writes. Fails with an Error for people where there is nothing to draw.
   */
  draw(block: Block, width: number, height: number, dark: boolean): Promise<Drawn>;
  /** The same in numbers. */
  table(block: Exclude<Block, TextBlock>): TableBlock;
}

/** How a page gets at the drawing: runs the script, once. */
export function chartDrawing(load: () => Promise<void>): () => Promise<ChartDrawing> {
  let loaded: Promise<void> | undefined;
  return async () => {
    await (loaded ??= load());
    const drawing = (globalThis as { perfkeepCharts?: ChartDrawing }).perfkeepCharts;
    if (drawing === undefined) throw new Error("The drawing of charts is missing.");
    return drawing;
  };
}
