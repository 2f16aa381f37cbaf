import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CachedSource } from "./cached-source.ts";
import type { ChartDrawing } from "./chart-drawing.ts";

/** Shared state of all pages. */
export interface PageContextValue {
  readonly source: CachedSource;
  readonly charts: () => Promise<ChartDrawing>;
  /** Grows with every change of the source; data is then loaded again. */
  readonly revision: number;
  readonly dark: boolean;
}

export const PageContext = createContext<PageContextValue | null>(null);

export function usePage(): PageContextValue {
  const page = useContext(PageContext);
  if (page === null) throw new Error("usePage is called outside of the app.");
  return page;
}
