import type { Block, TableBlock, TextBlock } from "../../src/core/figures/index.ts";

/**
 * A target for the pointer in a picture: its centre in pixels from the upper left corner, and half its size.
 */
export interface HoverTarget {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly text: string;
}

/** A picture and its tooltips. */
export interface DrawnPicture {
  readonly svg: string;
  readonly spots: readonly HoverTarget[];
}

/** The interface of the chart script. */
export interface ChartDrawing {
  /**
   * An `<svg>` document, the same as `perfkeep` writes. Fails with a readable Error if there is nothing to draw.
   */
  draw(block: Block, width: number, height: number, dark: boolean): Promise<DrawnPicture>;
  /** The data of the block as a table. */
  table(block: Exclude<Block, TextBlock>): TableBlock;
}

/** Loads the chart script on the first call. */
export function chartDrawing(load: () => Promise<void>): () => Promise<ChartDrawing> {
  let loaded: Promise<void> | undefined;
  return async () => {
    await (loaded ??= load());
    const drawing = (globalThis as { perfkeepCharts?: ChartDrawing }).perfkeepCharts;
    if (drawing === undefined) throw new Error("The chart script is missing.");
    return drawing;
  };
}
