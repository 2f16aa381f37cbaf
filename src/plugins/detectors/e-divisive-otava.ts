import { eDivisiveOtava as changes } from "../../math/detectors/index.ts";
import type { Detector } from "./detector.ts";
import { eDivisiveOptions, readEDivisive } from "./e-divisive-options.ts";

export const eDivisiveOtava: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "e-divisive-otava",
  aliases: ["otava"],
  synopsis: "e-divisive with the results of Apache Otava, including its defects",
  options: eDivisiveOptions,
  detect: (values, given) => changes(values, readEDivisive(eDivisiveOtava, given)),
});
