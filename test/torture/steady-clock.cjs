// Loaded before a command: equal runs get equal times and random numbers, and leave equal files. STEADY_CLOCK is the
// time, milliseconds since 1970.
Date.now = () => Number(process.env.STEADY_CLOCK ?? 1_700_000_000_000);
let state = 1;
Math.random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
