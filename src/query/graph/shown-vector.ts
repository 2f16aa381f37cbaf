import type { Vector } from "./vector.ts";

/** An input of an output, with what the output says of it. */
export interface ShownVector {
  readonly vector: Vector;
  readonly label: string | undefined;
  readonly labelPrefix: string;
  readonly title: string | undefined;
}
