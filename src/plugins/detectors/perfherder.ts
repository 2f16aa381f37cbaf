import { perfherder as changes, perfherderDefaults } from "../../math/detectors/perfherder.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import type { Detector } from "./detector.ts";

export const perfherder: Detector = Object.freeze<Detector>({
  kind: "detector",
  name: "perfherder",
  synopsis: "weighted t statistic of the values before and after, as Mozilla's Perfherder",
  options: [
    option("min-back-window", "integer", perfherderDefaults.minBack, "values before a change at least"),
    option("max-back-window", "integer", perfherderDefaults.maxBack, "values before it that are looked at"),
    option("fore-window", "integer", perfherderDefaults.fore, "values after it"),
    option("t-threshold", "float", perfherderDefaults.threshold, "what the statistic is to exceed"),
  ],
  detect(values, given) {
    const options = completed(perfherder, given);
    const minBack = numberWithin(perfherder, options, "min-back-window", 1, 10_000);
    return changes(values, {
      minBack,
      maxBack: numberWithin(perfherder, options, "max-back-window", minBack, 10_000),
      fore: numberWithin(perfherder, options, "fore-window", 1, 10_000),
      threshold: numberWithin(perfherder, options, "t-threshold", 0),
    });
  },
});
