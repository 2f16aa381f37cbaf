import { ensemble, ensembleDefaults } from "../../src/math/detectors/ensemble.ts";
import type { SeriesOptions } from "../../src/query/series/series-verdicts.ts";

/** The default detector over a whole history. */
export const seriesOptions: SeriesOptions = {
  method: "ensemble",
  detect: (values) => ensemble(values, ensembleDefaults),
  isIn: null,
  minEffect: 0.01,
  falseDiscoveryRate: 0.05,
  allMachines: false,
  suspects: (_, after) => [after],
};
