import type { FlameGraph } from "../src/core/flame-graph.ts";

/** Warm colours by name, the same for the same name everywhere; all of them bear dark text. */
export function nameColor(name: string): string {
  let hash = 2_166_136_261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16_777_619) >>> 0;
  const [hue, light] = [22 + (hash % 34), 66 + ((hash >>> 8) % 12)];
  return `hsl(${hue} 82% ${light}%)`;
}

/** Of a comparison: orange for what grew, blue for what shrank, the stronger the more; grey for what stayed. */
export function changeColor(graph: FlameGraph, frame: number): string {
  const [before, after] = [graph.before?.[frame] ?? 0, graph.after?.[frame] ?? 0];
  const share = after === before ? 0 : (after - before) / Math.max(before, after);
  const light = 90 - 32 * Math.sqrt(Math.min(1, Math.abs(share)));
  if (Math.abs(share) < 0.005) return "hsl(220 8% 86%)";
  return share > 0 ? `hsl(26 90% ${light.toFixed(0)}%)` : `hsl(210 80% ${light.toFixed(0)}%)`;
}
