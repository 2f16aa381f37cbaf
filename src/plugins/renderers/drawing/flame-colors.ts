import type { FlameBlock } from "../../../core/figures/index.ts";

/** Colour of the root and of frames without a module. */
const neutral = "#dcdcdc";
const unchanged = [240, 240, 240] as const;
const grown = [255, 105, 92] as const;
const shrunken = [104, 164, 255] as const;

/** Text colour on all box colours and themes: contrast is at least 4.5. */
export const boxText = "#161616";

/** The colour of each frame of a block. */
export function flameColors({ graph, colors = "name", intensity = "relative" }: FlameBlock): (frame: number) => string {
  const { names, modules, name, before, after } = graph;
  if (before !== undefined && after !== undefined) {
    const maximum = intensity === "absolute" ? greatestChange(before, after) : undefined;
    return (frame) => changeColor(after[frame]! - before[frame]!, maximum ?? Math.max(after[frame]!, before[frame]!));
  }
  const known = new Map<number, string>();
  const colorOf = (nameIndex: number): string =>
    colors === "module" ? moduleColor(modules?.[nameIndex] ?? "") : nameColor(names[nameIndex]!);
  return (frame) => {
    if (frame === 0) return neutral;
    if (colors === "plain") return "#f5c27a";
    const nameIndex = name[frame]!;
    const color = known.get(nameIndex) ?? colorOf(nameIndex);
    known.set(nameIndex, color);
    return color;
  };
}

function greatestChange(before: Float64Array, after: Float64Array): number {
  let maximum = 0;
  for (let frame = 0; frame < after.length; frame++)
    maximum = Math.max(maximum, Math.abs(after[frame]! - before[frame]!));
  return maximum;
}

/** Red: grew; blue: shrank; intensity grows with the change. */
function changeColor(change: number, maximum: number): string {
  const share = maximum === 0 ? 0 : Math.sqrt(Math.min(1, Math.abs(change) / maximum));
  const end = change > 0 ? grown : shrunken;
  return hex(unchanged.map((from, at) => from + (end[at]! - from) * share));
}

/** Warm hues; a name has the same colour in every graph. */
function nameColor(name: string): string {
  const hash = hashOf(name);
  return hsl(22 + (hash % 33), 82 + ((hash >>> 8) % 14), 64 + ((hash >>> 16) % 9));
}

function moduleColor(module: string): string {
  return module === "" ? neutral : hsl(hashOf(module) % 360, 58, 74);
}

/** FNV-1a over code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < Math.min(text.length, 400); at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function hsl(hue: number, saturation: number, lightness: number): string {
  const light = lightness / 100;
  const reach = (saturation / 100) * Math.min(light, 1 - light);
  const channel = (shift: number): number => {
    const at = (shift + hue / 30) % 12;
    return 255 * (light - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return hex([channel(0), channel(8), channel(4)]);
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}
