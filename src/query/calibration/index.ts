// False-positive rates of change detectors on simulated histories, and thresholds for a wanted rate.
// Used by the calibrate command; judges with src/query/series and src/query/verdict.
// Never reads stored runs or writes thresholds.

export { type Calibrated, type CalibrationOptions, calibrateSubject } from "./calibrate.ts";
export { type Rate, overallRate } from "./false-positives.ts";
