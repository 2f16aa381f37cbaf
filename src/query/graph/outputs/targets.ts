import { gnuplot } from "./gnuplot.ts";
import { rawText } from "./raw-text.ts";
import type { Target } from "./target.ts";
import { xmlText } from "./xml-text.ts";

/** All ways to show the vectors of an output; to add one is one line here. */
export const targets: readonly Target[] = [rawText, gnuplot, xmlText];
