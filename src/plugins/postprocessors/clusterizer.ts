import { columnNamed, type Run } from "../../core/profiles/index.ts";
import { numberColumn, withColumn } from "../../core/tables/index.ts";
import type { Value, Values } from "../../core/values/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import { afterStep, type Postprocessor } from "./postprocessor.ts";

/**
 * Assigns rows with similar amounts to one cluster, as an independent variable for amounts without an input size.
 */
export const clusterizer = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "clusterizer",
  recorded: "clusterizer",
  synopsis: "assign rows with similar amounts to clusters, in the column cluster",
  options: [
    option(
      "strategy",
      "string",
      "sort-order",
      "sort-order: one cluster per row of a location, sorted by amount; sliding-window: rows with similar amounts",
      ["sort-order", "sliding-window"],
    ),
    option("of-key", "string", "amount", "column to cluster"),
    option("window-height", "float", 0.01, "maximum difference of amounts within a window"),
    option(
      "height-measure",
      "string",
      "relative",
      "relative: to the largest amount of the location; fixed: in its unit",
      ["relative", "fixed"],
    ),
    option("window-width", "float", 0.1, "maximum rows within a window"),
    option("width-measure", "string", "relative", "relative: to the rows of the location; fixed: a number of rows", [
      "relative",
      "fixed",
    ]),
  ],
  spellings: { "-of": ["of-key"] },
  modes: {
    option: "strategy",
    of: new Map([
      ["sort-order", []],
      ["sliding-window", ["window-height", "height-measure", "window-width", "width-measure"]],
    ]),
  },
  apply,
});

function apply(run: Run, given: Values): Run {
  const options = withDefaults(clusterizer, given);
  const [height, width] = [
    numberWithin(clusterizer, options, "window-height", 0, 1e300),
    numberWithin(clusterizer, options, "window-width", 0),
  ];
  const { data } = run;
  if (data.length === 0) return afterStep(clusterizer, run, options, []);
  const [uid, amount] = [columnNamed(data, "uid"), columnNamed(data, String(options.get("of-key")))];
  const clusters = Array.from<Value>({ length: data.length }).fill(null);
  const byLocation = new Map<string, number[]>();
  for (let row = 0; row < data.length; row++) {
    if (Number.isNaN(amount.number(row))) continue;
    const own = byLocation.get(uid.text(row));
    if (own) own.push(row);
    else byLocation.set(uid.text(row), [row]);
  }
  for (const own of byLocation.values()) {
    own.sort((a, b) => amount.number(a) - amount.number(b) || a - b);
    const amounts = Float64Array.from(own, (row) => amount.number(row));
    clusterNumbers(amounts, limitsOf(amounts, height, width, options)).forEach(
      (cluster, at) => (clusters[own[at]!] = cluster),
    );
  }
  const variable = { name: "cluster", role: "parameter", occurrence: "multiple", type: "integer" } as const;
  return afterStep(clusterizer, { ...run, data: withColumn(data, variable, numberColumn(clusters)) }, options, []);
}

interface Limits {
  readonly height: number;
  readonly rows: number;
}

function limitsOf(amounts: Float64Array, height: number, width: number, options: Values): Limits {
  if (options.get("strategy") === "sort-order") return { height: 0, rows: 1 };
  const scale = options.get("height-measure") === "relative" ? Math.abs(amounts.at(-1) ?? 0) : 1;
  const maximum = options.get("width-measure") === "relative" ? width * amounts.length : width;
  return { height: height * scale, rows: Math.max(1, Math.floor(maximum)) };
}

/** Numbers from 1; a new cluster starts when the amount exceeds the window of its first, or the cluster is full. */
function clusterNumbers(amounts: Float64Array, { height, rows }: Limits): number[] {
  let [cluster, first] = [0, 0];
  return Array.from(amounts, (value, at) => {
    if (at === 0 || value - amounts[first]! > height || at - first >= rows) {
      cluster += 1;
      first = at;
    }
    return cluster;
  });
}
