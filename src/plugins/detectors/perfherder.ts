import { perfherder as changes, perfherderDefaults } from "../../math/detectors/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

export const perfherder: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "perfherder",
  synopsis: "weighted t statistic of the values before and after, like Mozilla's Perfherder",
  options: [
    option("min-back-window", "integer", perfherderDefaults.minBack, "minimum values before a change"),
    option("max-back-window", "integer", perfherderDefaults.maxBack, "maximum values before a change to use"),
    option("fore-window", "integer", perfherderDefaults.fore, "values after a change to use"),
    option("t-threshold", "float", perfherderDefaults.threshold, "minimum statistic of a change"),
  ],
  detect(values, given) {
    const options = withDefaults(perfherder, given);
    const minBack = numberWithin(perfherder, options, "min-back-window", 1, 10_000);
    return changes(values, {
      minBack,
      maxBack: numberWithin(perfherder, options, "max-back-window", minBack, 10_000),
      fore: numberWithin(perfherder, options, "fore-window", 1, 10_000),
      threshold: numberWithin(perfherder, options, "t-threshold", 0),
    });
  },
});
