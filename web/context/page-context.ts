import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CachedSource } from "./cached-source.ts";
import type { ChartDrawing } from "./chart-drawing.ts";

/** What every page has at hand. */
export interface PageContents {
  readonly source: CachedSource;
  readonly charts: () => Promise<ChartDrawing>;
  /** Grows whenever the source has something new; questions are then asked again. */
  readonly moment: number;
  readonly dark: boolean;
}

export const PageContext = createContext<PageContents | null>(null);

export function usePage(): PageContents {
  const page = useContext(PageContext);
  if (page === null) throw new Error("Pages are shown by the app.");
  return page;
}
