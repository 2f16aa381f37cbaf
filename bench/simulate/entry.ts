/* Entry point of the bundle that simulate.mjs runs. */
export { dimensions } from "./dimensions.ts";
export { simulate } from "./simulation.ts";
