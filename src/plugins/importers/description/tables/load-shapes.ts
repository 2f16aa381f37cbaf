import type { InputDescription, InputLocation } from "../../../../formats/descriptions/index.ts";
import { hasShape, type TableShapes } from "./table-shapes.ts";

/** The shapes, if a description needs them. */
export async function shapesFor(descriptions: readonly InputDescription[]): Promise<TableShapes | undefined> {
  const needed = descriptions.some(({ locations }) => locations.some(needsShapes));
  return needed ? (await import("./shapes.ts")).shapes : undefined;
}

function needsShapes(location: InputLocation): boolean {
  if (location.kind === "table") return hasShape(location);
  return ["pattern", "transposed", "matrix"].includes(location.kind);
}
