// Change-point detection: PELT, E-divisive, ensemble, asv, Perfherder, bounds, drift, errors and detectable shifts.
// Used by detector plug-ins, series verdicts and calibration.
// Never knows subjects, commits or units; results depend on the values only.

export { asvStep } from "./asv-step.ts";
export { blockError, type KnownVariance, unknownVariance } from "./block-error.ts";
export { type BoundTest, boundTests, outside } from "./bounds.ts";
export { credibleSet, cutPosterior } from "./cut-posterior.ts";
export { driftOf } from "./drift.ts";
export { type EDivisiveOptions, eDivisive, eDivisiveDefaults, eDivisiveOtava } from "./e-divisive.ts";
export { type EnsembleOptions, ensemble, ensembleDefaults, ensembleLimit, ensembleShift } from "./ensemble.ts";
export { type Settled, type SettledMemory, incrementalEnsemble, widestWindow } from "./incremental-ensemble.ts";
export { detectableShift } from "./injected-shift.ts";
export { type LevelChange, levelChanges } from "./level-change.ts";
export { type SteppedValues, stepInWalks, type WalkStep } from "./local-level.ts";
export { type Noise, noiseAbout, varianceOfMean } from "./noise.ts";
export { pelt } from "./pelt.ts";
export { perfherder, perfherderDefaults } from "./perfherder.ts";
export { winsorized } from "./winsorize.ts";
