// Seeded random numbers, bootstrap, noise models, and selections of the fuzzer.
// Used by verdicts, calibration, detectors and the fuzzer.
// Never uses Math.random: every result is reproducible from a seed.

export { type NoiseModel, drawNoise, noiseModel, ratioInterval } from "./bootstrap.ts";
export { type MutationStrategy, chooseParent, mutationCount, mutationStrategies } from "./mutation-selection.ts";
export { seededRandom, shuffledOrder } from "./seeded-random.ts";
