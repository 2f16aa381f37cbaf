import { project, type Place, type Sight } from "./projection.ts";
import { markupText } from "../../../../core/text/markup-escape.ts";
import { round } from "./svg-text.ts";

/**
 * Draws shapes in the box of a surface; those that can turn also say where in the box they are, for the script that
 * turns them.
 */
export interface Shapes {
  readonly sight: Sight;
  readonly canTurn: boolean;
}

/** An area, or with the name `polyline` a line. */
export function shape(
  name: "polygon" | "polyline",
  places: readonly Place[],
  look: string,
  { sight, canTurn }: Shapes,
): string {
  const points = places.map((place) => pixels(place, sight)).join(" ");
  return `<${name} points="${points}"${canTurn ? ` data-p="${placesText(places)}"` : ""}${look}/>`;
}

export function dot(place: Place, radius: number, look: string, { sight, canTurn }: Shapes): string {
  const [x, y] = project(place, sight);
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}"${canTurn ? ` data-p="${placesText([place])}"` : ""}${look}/>`;
}

/** A text some pixels away from a place. */
export function label(
  text: string,
  place: Place,
  offset: readonly [number, number],
  look: string,
  { sight, canTurn }: Shapes,
): string {
  const [x, y] = project(place, sight);
  const turns = canTurn ? ` data-p="${placesText([place])}" data-o="${offset.join(",")}"` : "";
  return `<text x="${round(x + offset[0])}" y="${round(y + offset[1])}"${turns}${look}>${markupText(text)}</text>`;
}

/** A text along the edge between two places, `distance` pixels below its middle. */
export function edgeText(
  text: string,
  ends: readonly [Place, Place],
  distance: number,
  look: string,
  { sight, canTurn }: Shapes,
): string {
  const [[x1, y1], [x2, y2]] = ends.map((place) => project(place, sight)).sort((a, b) => a[0] - b[0]) as [
    [number, number],
    [number, number],
  ];
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const [x, y] = [(x1 + x2) / 2 - Math.sin(angle) * distance, (y1 + y2) / 2 + Math.cos(angle) * distance];
  const place = `translate(${round(x)} ${round(y)}) rotate(${round((angle * 180) / Math.PI)})`;
  const turns = canTurn ? ` data-e="${placesText(ends)}" data-d="${round(distance)}"` : "";
  return `<text transform="${place}"${turns} text-anchor="middle"${look}>${markupText(text)}</text>`;
}

function pixels(place: Place, sight: Sight): string {
  return project(place, sight).map(round).join(",");
}

function placesText(places: readonly Place[]): string {
  return places.map((place) => place.map((share) => Math.round(share * 1e4) / 1e4).join(",")).join(" ");
}
