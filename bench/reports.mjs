// Imports of large benchmark reports, compared with parsing the same JSON in Node.
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { history } from "./fixtures.mjs";
import { exponent, interleaved, peakMemory } from "./measure.mjs";

const sizes = [10, 32, 100];

/**
 * By tool: few benchmarks with very many samples, and very many benchmarks with few samples.
 */
const shapes = {
  "pytest-benchmark, long": (random) => pytest(random, 100_000),
  "pytest-benchmark, many": (random) => pytest(random, 10),
  "pyperf, long": (random) => pyperf(random, 100_000, 2),
  "pyperf, many": (random) => pyperf(random, 3, 20),
};

/** `import` of reports up to 100 MB. */
export function reportImports(scratch, emptyNode, command, perfkeep) {
  return Object.entries(shapes).flatMap(([name, shape]) => {
    const rows = sizes.map((size) => measure(scratch, name, shape, size, emptyNode, command, perfkeep));
    const growth = exponent(
      sizes,
      rows.map(({ milliseconds, start }) => milliseconds - start),
    );
    return rows.map(({ start, ...row }) => ({ ...row, exponent: growth }));
  });
}

function measure(scratch, name, shape, size, emptyNode, command, perfkeep) {
  const folder = join(scratch, "reports", `${name}-${size}`);
  history(folder, 1);
  const data = join(folder, "report.json");
  writeReport(data, shape, size * 1e6);
  const fresh = () => {
    rmSync(join(folder, ".perun"), { recursive: true, force: true });
    interleaved([command("init", folder, perfkeep("init", "-q"))], 0);
  };
  const run = command(`import ${size} MB of ${name}`, folder, perfkeep("import", "-q", data), fresh);
  const script = `JSON.parse(require("fs").readFileSync(${JSON.stringify(data)}, "utf8"))`;
  const peer = command("JSON.parse", folder, [process.execPath, "-e", script]);
  // The ratio of long imports varies by a few percent.
  const [start, parse, milliseconds] = interleaved([emptyNode, peer, run], size < 100 ? 3 : 1);
  const peak = peakMemory(run, scratch);
  rmSync(folder, { recursive: true, force: true });
  return { what: run.name, of: peer.name, milliseconds, ratio: milliseconds / parse, peak, start };
}

function writeReport(file, shape, size) {
  const out = openSync(file, "w");
  let state = 7;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const { head, benchmark, tail } = shape(random);
  let written = writeSync(out, head);
  for (let at = 0; written < size; at++) written += writeSync(out, `${at > 0 ? "," : ""}${benchmark(at)}`);
  writeSync(out, tail);
  closeSync(out);
}

/** Times in the number format of Python. */
function seconds(random, separator, count) {
  return Array.from({ length: count }, () => (1e-6 + random() * 3e-7).toExponential().replace(/e-(\d)$/, "e-0$1")).join(
    separator,
  );
}

function pytest(random, samples) {
  const names = ["min", "max", "mean", "stddev", "median", "iqr", "q1", "q3"];
  const lines = `,\n${" ".repeat(20)}`;
  return {
    head:
      `{"machine_info": {"node": "vm", "python_version": "3.11.7"}, ` +
      `"commit_info": {"id": "unversioned", "dirty": false}, "benchmarks": [`,
    benchmark: (at) => {
      const name = `test_${at}[${at % 7}]`;
      const stats = names.map((key) => `"${key}": ${seconds(random, "", 1)}`).join(lines);
      return `{"group": null, "name": "${name}", "fullname": "tests/test_${at % 50}.py::${name}",
        "params": {"size": ${at % 7}},
        "stats": {${stats}, "ops": ${1e6 * random()}, "rounds": ${samples}, "iterations": 1,
        "data": [${seconds(random, lines, samples)}]}}`;
    },
    tail: `], "datetime": "2026-03-01T12:00:00.000000", "version": "4.0.0"}`,
  };
}

function pyperf(random, samples, processes) {
  const metadata = () =>
    `{"date":"2026-03-01 12:00:00.250000","duration":${random()},"load_avg_1min":0.5,` +
    `"mem_max_rss":21000000,"uptime":1234.5}`;
  const one = () =>
    `{"metadata":${metadata()},"values":[${seconds(random, ",", samples)}],"warmups":[[64,${seconds(random, "", 1)}]]}`;
  return {
    head: `{"benchmarks":[`,
    benchmark: (at) =>
      `{"metadata":{"name":"bench_${at}","loops":64,"unit":"second"},` +
      `"runs":[${Array.from({ length: processes }, one).join(",")}]}`,
    tail: `],"metadata":{"cpu_count":2,"hostname":"vm","perf_version":"2.7.0","unit":"second"},"version":"1.0"}`,
  };
}
