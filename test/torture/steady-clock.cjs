// Loaded before a command: equal runs get equal times and random numbers, and leave equal files.
Date.now = () => 1_700_000_000_000;
let state = 1;
Math.random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
