import { asvStep as changes } from "../../math/detectors/index.ts";
import type { Detector } from "./detector.ts";

export const asvStep: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "asv-step",
  aliases: ["asv"],
  synopsis: "steps between medians by an information criterion, like airspeed velocity",
  options: [],
  detect: (values) => changes(values),
});
