/**
 * Colours from low to high: ten of the map "viridis" (Nathaniel Smith, Stéfan van der Walt, 2015, CC0), whose lightness
 * grows evenly, so that it is readable with common kinds of colour blindness and in print.
 */
const stops = [
  "#440154",
  "#482878",
  "#3e4989",
  "#31688e",
  "#26828e",
  "#1f9e89",
  "#35b779",
  "#6ece58",
  "#b5de2b",
  "#fde725",
] as const;

/** The colour at a fraction 0..1 between low and high. */
export function rampColor(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [channels(stops[first] ?? stops[0]), channels(stops[first + 1] ?? stops[0])];
  return `#${from.map((value, i) => hex(value + ((to[i] ?? 0) - value) * (at - first))).join("")}`;
}

/** The stops of a gradient that rises along the ramp. */
export function rampStops(): string {
  return stops
    .map((color, i) => `<stop offset="${Math.round((i * 1000) / (stops.length - 1)) / 10}%" stop-color="${color}"/>`)
    .join("");
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, "0");
}
