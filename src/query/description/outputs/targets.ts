import { html, png, svg, text } from "./chart.ts";
import { gnuplot } from "./gnuplot.ts";
import { json } from "./json-text.ts";
import { latex } from "./latex.ts";
import { opendoc } from "./opendoc.ts";
import { arrow, parquet } from "./table-file.ts";
import { rawText } from "./raw-text.ts";
import { csv, markdown } from "./table-figures.ts";
import type { Target } from "./target.ts";
import { xmlText } from "./xml-text.ts";

/** All ways to show the vectors of an output; to add one is one line here. Those of perfbase first. */
export const targets: readonly Target[] = [
  rawText,
  gnuplot,
  xmlText,
  opendoc,
  csv,
  json,
  markdown,
  latex,
  parquet,
  arrow,
  svg,
  png,
  html,
  text,
];
