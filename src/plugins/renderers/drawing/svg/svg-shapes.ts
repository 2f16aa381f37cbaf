import { project, type Position, type Projection } from "./projection.ts";
import { markupText } from "../../../../core/text/index.ts";
import { round } from "./svg-text.ts";

/**
 * How to draw shapes in the box of a surface. With `canTurn` they carry their positions in the box as attributes, for
 * the rotation script.
 */
export interface Shapes {
  readonly view: Projection;
  readonly canTurn: boolean;
}

/** A polygon or a polyline. */
export function shape(
  name: "polygon" | "polyline",
  positions: readonly Position[],
  look: string,
  { view, canTurn }: Shapes,
): string {
  const points = positions.map((position) => pixels(position, view)).join(" ");
  return `<${name} points="${points}"${canTurn ? ` data-p="${positionsText(positions)}"` : ""}${look}/>`;
}

export function dot(position: Position, radius: number, look: string, { view, canTurn }: Shapes): string {
  const [x, y] = project(position, view);
  const rotationData = canTurn ? ` data-p="${positionsText([position])}"` : "";
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}"${rotationData}${look}/>`;
}

/** Text at an offset in pixels from a position. */
export function label(
  text: string,
  position: Position,
  offset: readonly [number, number],
  look: string,
  { view, canTurn }: Shapes,
): string {
  const [x, y] = project(position, view);
  const rotationData = canTurn ? ` data-p="${positionsText([position])}" data-o="${offset.join(",")}"` : "";
  const origin = `x="${round(x + offset[0])}" y="${round(y + offset[1])}"`;
  return `<text ${origin}${rotationData}${look}>${markupText(text)}</text>`;
}

/** Text along the edge between two positions, `distance` pixels below its centre. */
export function edgeText(
  text: string,
  ends: readonly [Position, Position],
  distance: number,
  look: string,
  { view, canTurn }: Shapes,
): string {
  const [[x1, y1], [x2, y2]] = ends.map((position) => project(position, view)).sort((a, b) => a[0] - b[0]) as [
    [number, number],
    [number, number],
  ];
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const [x, y] = [(x1 + x2) / 2 - Math.sin(angle) * distance, (y1 + y2) / 2 + Math.cos(angle) * distance];
  const transform = `translate(${round(x)} ${round(y)}) rotate(${round((angle * 180) / Math.PI)})`;
  const rotationData = canTurn ? ` data-e="${positionsText(ends)}" data-d="${round(distance)}"` : "";
  return `<text transform="${transform}"${rotationData} text-anchor="middle"${look}>${markupText(text)}</text>`;
}

function pixels(position: Position, view: Projection): string {
  return project(position, view).map(round).join(",");
}

function positionsText(positions: readonly Position[]): string {
  return positions.map((position) => position.map((share) => Math.round(share * 1e4) / 1e4).join(",")).join(" ");
}
