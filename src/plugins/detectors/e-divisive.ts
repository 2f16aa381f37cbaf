import { eDivisive as changes } from "../../math/detectors/index.ts";
import type { Detector } from "./detector.ts";
import { eDivisiveOptions, readEDivisive } from "./e-divisive-options.ts";

export const eDivisive: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "e-divisive",
  synopsis: "energy distance in windows, confirmed by Student's test, weakest changes merged first",
  options: eDivisiveOptions,
  detect: (values, given) => changes(values, readEDivisive(eDivisive, given)),
});
