// Minimisation, integration and rounding.
// Used by math and query.
// Never allocates more than its input needs and never throws on finite input.

export { goldenSection, minimumNear } from "./minimize.ts";
export { roundAway, roundToEven } from "./rounding.ts";
export { simpson } from "./simpson.ts";
