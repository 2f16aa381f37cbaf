import { parametersOf, resultsOf, type VectorColumn } from "../vector.ts";
import { noPicture, requireNumbers } from "./curves.ts";
import type { ShownVector } from "./shown-vector.ts";
import type { Shown } from "./target.ts";

/** A result over two parameters. */
export interface Surface {
  readonly input: ShownVector;
  readonly x: VectorColumn;
  readonly y: VectorColumn;
  readonly z: VectorColumn;
}

/** Each result of an input over its first two parameters. Fails with `query-not-possible` for fewer, and for texts. */
export function surfacesIn(input: ShownVector, shown: Shown): Surface[] {
  const [x, y] = parametersOf(input.vector);
  if (x === undefined || y === undefined)
    throw noPicture(shown, `a surface needs two parameters, and input '${input.vector.origin}' has fewer`);
  return resultsOf(input.vector).map((z) => {
    requireNumbers(z.variable, shown);
    return { input, x, y, z };
  });
}
