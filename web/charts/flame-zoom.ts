import { useEffect, useRef } from "preact/hooks";
import { currentRoute, go, href } from "../context/route.ts";
import type { FlameOrder, FlameRange } from "./flame-layout.ts";

/** What is chosen in the flame graph of a page, as in its address: `flame=0.25,0.5,amount`. */
export interface FlameZoom {
  /** Shares of the whole. */
  readonly left: number;
  readonly width: number;
  readonly order: FlameOrder;
}

/** Gestures change the zoom with every frame; browsers limit how often the address changes. */
const restMs = 250;

/** What damaged addresses name is the whole graph. */
export function flameZoom(): FlameZoom {
  const [left, width, order] = (currentRoute().params["flame"] ?? "").split(",");
  const [from, part] = [Number(left), Number(width)];
  const isPart = width !== undefined && from >= 0 && part > 0 && from + part <= 1.000001;
  return { left: isPart ? from : 0, width: isPart ? part : 1, order: order === "amount" ? order : "name" };
}

/** Keeps the visible range in the address; `isKept`: false for graphs of a part. */
export function useFlameZoom(range: FlameRange, whole: number, order: FlameOrder, isKept: boolean): void {
  const share = (amount: number): string => String(Number((amount / whole).toPrecision(9)));
  const isWhole = range.width >= whole && order === "name";
  const text = isWhole ? "" : `${share(range.left)},${share(range.width)}${order === "amount" ? ",amount" : ""}`;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current || !isKept) {
      isFirst.current = false;
      return undefined;
    }
    const timer = setTimeout(() => {
      const { page, of, params } = currentRoute();
      const { flame = "", ...others } = params;
      if (flame !== text) go(href(page, of, text === "" ? others : { ...others, flame: text }), true);
    }, restMs);
    return () => clearTimeout(timer);
  }, [text]);
}
