/* What simulate.mjs runs. */
export { dimensions } from "./dimensions.ts";
export { simulate } from "./simulation.ts";
