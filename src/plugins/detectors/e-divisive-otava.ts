import { eDivisiveOtava as changes } from "../../math/detectors/e-divisive.ts";
import type { Detector } from "./detector.ts";
import { eDivisiveOptions, readEDivisive } from "./e-divisive-options.ts";

export const eDivisiveOtava: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "e-divisive-otava",
  aliases: ["otava"],
  synopsis: "e-divisive with the very answers of Apache Otava, its defects included",
  options: eDivisiveOptions,
  detect: (values, given) => changes(values, readEDivisive(eDivisiveOtava, given)),
});
