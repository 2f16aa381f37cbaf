import { useEffect, useState } from "preact/hooks";

/** The current width of an element in pixels; `first` until it is measured. */
export function useWidth(element: { readonly current: HTMLElement | null }, first: number): number {
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const look = (): void => setWidth(Math.max(120, Math.round(box.clientWidth)));
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    return () => sizes.disconnect();
  }, []);
  return width;
}
