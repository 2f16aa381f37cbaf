import type { Axis, ChartBlock, ChartSeries, Figure, SurfaceBlock } from "../../src/core/figures/figure.ts";
import type { StackProfile } from "../../src/core/profiles/stack-profile.ts";
import { parseUnit } from "../../src/core/values/unit.ts";
import { flameDifference } from "../../src/query/flame/difference-blocks.ts";
import { flameGraph } from "../../src/query/flame/flame-graph.ts";
import { profileOfSamples } from "../contracts/arbitrary-stacks.ts";

const solver = `main;parse;read_file;__read 120
main;parse;tokenize;next_token 340
main;parse;tokenize;next_token;isspace 80
main;parse;build_tree;malloc 210
main;parse;build_tree 90
main;solve;iterate;multiply;dot_product 1400
main;solve;iterate;multiply 230
main;solve;iterate;norm;sqrt 160
main;solve;iterate;solve;iterate;multiply 60
main;solve;iterate;exchange;MPI_Sendrecv;poll 410
main;report;format<double, std::allocator<char>>;__printf_fp 95
main;report;write 12
start_thread;worker;<script>alert("1 & 2")</script>;memcpy 140
start_thread;worker;queue_pop;futex_wait 33.5
start_thread;gone -5`;

const laterSolver = solver
  .replace("dot_product 1400", "dot_product 700")
  .replace("isspace 80", "isspace 400")
  .replace(/\n.*exchange.*/, "\nmain;solve;checkpoint;write 300");

const hills = surface(
  { label: "x", unit: parseUnit("m"), scale: "linear" },
  { label: "y", unit: parseUnit("m"), scale: "linear" },
  { label: "height", unit: parseUnit("m"), scale: "linear" },
  Array.from({ length: 40 }, (_, i) => i / 3),
  Array.from({ length: 28 }, (_, i) => i / 3),
  (x, y) =>
    100 + 600 * Math.exp(-((x - 4) ** 2 + (y - 5) ** 2) / 8) + 300 * Math.exp(-((x - 10) ** 2 + (y - 3) ** 2) / 5),
);

/** Figures for every renderer, one for each aspect that can look wrong. */
export const figures: Readonly<Record<string, Figure>> = {
  "error-bars": chart("Bandwidth of memory copies", {
    mark: "line",
    x: { label: "S_message", unit: parseUnit("KiByte"), scale: "log" },
    y: [{ label: "B_copy", unit: parseUnit("MiByte/s"), scale: "linear" }],
    series: [
      series("memcpy", [1, 4, 16, 64, 256, 1024], [410, 980, 1820, 2400, 2210, 2230], 90),
      series("memmove", [1, 4, 16, 64, 256, 1024], [380, 700, 1500, 2000, 2080, 2070], 160),
    ],
  }),
  "two-axes": chart("Throughput and latency", {
    mark: "line",
    x: { label: "N_threads", scale: "linear" },
    y: [
      { label: "requests", unit: parseUnit("1/s"), scale: "linear" },
      { label: "latency", unit: parseUnit("ms"), scale: "linear" },
    ],
    series: [
      series("requests", [1, 2, 4, 8, 16], [1200, 2350, 4400, 6900, 7100]),
      { ...series("latency", [1, 2, 4, 8, 16], [0.83, 0.85, 0.9, 1.15, 2.2], 0.15), axis: 1 },
    ],
  }),
  "log-log": chart("Sorting", {
    mark: "points",
    x: { label: "N_elements", scale: "log" },
    y: [{ label: "T_sort", unit: parseUnit("s"), scale: "log" }],
    series: [
      series("quick sort", [10, 100, 1000, 10000, 100000, 1000000], [2e-6, 3e-5, 4.1e-4, 5.2e-3, 0.063, 0.76]),
      series("bubble sort", [10, 100, 1000, 10000, 0, 100000], [1e-6, 8e-5, 8.3e-3, 0.81, 3, 92]),
    ],
  }),
  bars: chart("Time of each version", {
    mark: "bars",
    x: { label: "version", scale: "category", categories: ["1.0.0", "1.1.0", "1.2.0-rc1", "2.0.0"] },
    y: [{ label: "T_total", unit: parseUnit("ms"), scale: "linear" }],
    series: [series("gcc", [0, 1, 2, 3], [93, 95, 190, 88], 9), series("clang", [0, 1, 3], [99, 91, 80], 5)],
  }),
  "many-categories": chart("History", {
    mark: "line",
    x: {
      label: "version",
      scale: "category",
      categories: Array.from({ length: 40 }, (_, i) => `release-${i}.${i % 3}.0`),
    },
    y: [{ label: "T_total", unit: parseUnit("s"), scale: "linear" }],
    series: [
      series(
        "T_total",
        Array.from({ length: 40 }, (_, i) => i),
        Array.from({ length: 40 }, (_, i) => (i < 22 ? 10 : 14) + (i % 4) / 5),
        0.4,
      ),
    ],
  }),
  "negative-bars": chart("Change against the baseline", {
    mark: "bars",
    x: {
      label: "function",
      scale: "category",
      categories: ["parse()", "a function with a long name that does not end(int, int)", "emit()"],
    },
    y: [{ label: "change", unit: parseUnit("%"), scale: "linear" }],
    series: [series("change", [0, 1, 2], [-42, 17, 3])],
  }),
  steps: chart("Queue length", {
    mark: "steps",
    x: { label: "time", unit: parseUnit("s"), scale: "linear" },
    y: [{ label: "waiting", scale: "linear" }],
    series: [series("waiting", [0, 1, 2, 5, 6, 9, 10], [0, 3, 7, 2, 2, 9, 0])],
  }),
  "one-point": chart("A single measurement", {
    mark: "line",
    x: { label: "run", scale: "linear" },
    y: [{ label: "T_total", unit: parseUnit("s"), scale: "linear" }],
    series: [series("T_total", [7], [12.5], 0.5)],
  }),
  "many-series": chart("Sixty benchmarks", {
    mark: "line",
    x: { label: "run", scale: "linear" },
    y: [{ label: "T_total", unit: parseUnit("s"), scale: "linear" }],
    series: Array.from({ length: 60 }, (_, i) =>
      series(`benchmark number ${i}`, [1, 2, 3, 4], [i, i + 3, i + 1, i + (i % 7)]),
    ),
  }),
  "time-axis": chart("Nightly runs", {
    mark: "line",
    x: { label: "performed", scale: "time" },
    y: [{ label: "failed tests", scale: "linear" }],
    series: Array.from({ length: 13 }, (_, i) =>
      series(
        `host ${i}`,
        Array.from({ length: 9 }, (_unused, day) => Date.UTC(2026, 0, 28 + day, 2, 30 + i) / 1000),
        Array.from({ length: 9 }, (_unused, day) => (i % 3) + ((day * (i + 2)) % 4)),
      ),
    ),
  }),
  "many-bars": chart("Bars of thirteen series", {
    mark: "bars",
    x: { label: "mode", scale: "category", categories: ["read", "write"] },
    y: [{ label: "requests", scale: "linear" }],
    series: Array.from({ length: 13 }, (_, i) => series(`depth ${2 ** i}`, [0, 1], [i + 3, 16 - i])),
  }),
  dense: chart("Many samples", {
    mark: "points",
    x: { label: "order", scale: "linear" },
    y: [{ label: "amount", unit: parseUnit("us"), scale: "linear" }],
    series: [dense("a", 40, 9), dense("b", 60, 4)],
  }),
  "stacked-bars": chart("Time by phase", {
    mark: "bars",
    stacked: true,
    x: { label: "version", scale: "category", categories: ["1.0.0", "1.1.0", "2.0.0", "2.1.0"] },
    y: [{ label: "change", unit: parseUnit("ms"), scale: "linear" }],
    series: [
      series("parse", [0, 1, 2, 3], [40, 42, 20, -4]),
      series("emit <b>", [0, 1, 3], [60, 55, 10]),
      series("idle", [0, 1, 2, 3], [5, 9, 30, -8]),
    ],
  }),
  "lying-bars": chart("Calls by function", {
    mark: "bars",
    horizontal: true,
    stacked: true,
    x: {
      label: "function",
      scale: "category",
      categories: [
        "std::vector<int, std::allocator<int>>::push_back(int const&) and what follows it",
        "main",
        "\x1b[31m</svg>",
      ],
    },
    y: [{ label: "sum of amount", unit: parseUnit("KiByte"), scale: "linear" }],
    series: [series("malloc", [0, 1, 2], [1234567, 200000, 3]), series("calloc", [0, 1], [300000, 900000])],
  }),
  "lying-groups": chart("Two results by function", {
    mark: "bars",
    horizontal: true,
    x: { label: "function", scale: "category", categories: ["read", "write", "seek"] },
    y: [{ label: "change", unit: parseUnit("%"), scale: "linear" }],
    series: [series("warm", [0, 1, 2], [-42, 17, 3]), series("cold", [0, 2], [12, 25])],
  }),
  areas: chart("Memory in use", {
    mark: "area",
    stacked: true,
    x: { label: "snapshot", scale: "linear" },
    y: [{ label: "bytes", unit: parseUnit("Byte"), scale: "linear" }],
    series: [
      series("parse", [0, 1, 2, 3, 5, 8], [10, 40, 90, 90, 20, 20]),
      series("index", [0, 1, 2, 3, 5, 8], [0, 10, 30, 60, 70, 65]),
      series("cache", [0, 1, 2, 3, 5, 8], [0, 0, 5, 15, 45, 100]),
    ],
  }),
  "area-alone": chart("One area", {
    mark: "area",
    x: { label: "time", unit: parseUnit("s"), scale: "linear" },
    y: [{ label: "waiting", scale: "linear" }],
    series: [series("waiting", [0, 1, 2, 5, 6, 9, 10], [0, 3, 7, 2, 2, 9, 0])],
  }),
  "mixed-marks": chart("Requests and their delay", {
    mark: "bars",
    x: { label: "hour", scale: "category", categories: ["8", "9", "10", "11", "12", "13"] },
    y: [
      { label: "requests", unit: parseUnit("1/s"), scale: "linear" },
      { label: "delay", unit: parseUnit("ms"), scale: "log" },
    ],
    series: [
      series("read", [0, 1, 2, 3, 4, 5], [120, 340, 560, 410, 90, 300], 30),
      series("write", [0, 1, 2, 3, 4, 5], [60, 100, 310, 200, 40, 170]),
      { ...series("delay", [0, 1, 2, 3, 4, 5], [2, 11, 45, 20, 1.5, 9]), axis: 1, mark: "line" },
      { ...series("limit", [0, 5], [50, 50]), axis: 1, mark: "curve" },
    ],
  }),
  "powers-of-two": chart("Copies by size", {
    mark: "line",
    x: { label: "S_message", unit: parseUnit("Byte"), scale: "log2" },
    y: [{ label: "B_copy", unit: parseUnit("Byte/s"), scale: "log2" }],
    series: [
      series(
        "memcpy",
        Array.from({ length: 17 }, (_, i) => 2 ** (i + 6)),
        Array.from({ length: 17 }, (_, i) => 2 ** 33 / (1 + 2 ** (9 - i))),
      ),
    ],
  }),
  "chosen-ends": chart("The beginning of a long run", {
    mark: "line",
    x: { label: "time", unit: parseUnit("s"), scale: "linear", from: 3, to: 17 },
    y: [{ label: "waiting", scale: "linear", to: 40 }],
    series: [series("waiting", [1, 4, 8, 12, 16, 20], [3, 17, 25, 38, 39, 70], 6)],
    legend: false,
  }),
  "small-multiples": {
    title: "One plot for each device",
    columns: 2,
    blocks: ["sda", "sdb <b>", "nvme0"].map((device, at) => ({
      ...(chart("", {
        mark: "line",
        x: { label: "queue depth", scale: "log2", holds: [1, 64] },
        y: [{ label: "rate", unit: parseUnit("1/s"), scale: "linear", holds: [100, 5200] }],
        series: [
          series(
            "read",
            [1, 4, 16, 64].slice(0, 4 - at),
            [100, 390, 1300, 1900].map((rate) => rate * (at + 0.7)).slice(0, 4 - at),
            20,
          ),
          series(
            "write",
            [1, 4, 16],
            [100, 300, 700].map((rate) => rate * (at + 0.5)),
          ),
        ],
      }).blocks[0] as ChartBlock),
      caption: device,
    })),
  },
  surface: {
    title: "Bandwidth over two parameters",
    blocks: [
      surface(
        { label: "S_message", unit: parseUnit("Byte"), scale: "log2" },
        { label: "N_threads", scale: "linear" },
        { label: "mean B_copy", unit: parseUnit("GiByte/s"), scale: "linear" },
        Array.from({ length: 11 }, (_, i) => 2 ** (i + 10)),
        [1, 2, 3, 4, 6, 8],
        (x, y) =>
          x === 8192 && y === 3
            ? Number.NaN
            : (y * 9) / (1 + 0.08 * y * y) / (1 + 20000 / x) + (x > 300_000 ? -2 * Math.log2(x / 300_000) : 0),
      ),
    ],
  },
  "surface-categories": {
    title: "Time by cipher and compiler",
    blocks: [
      surface(
        {
          label: "cipher",
          scale: "category",
          categories: ["aes-128-gcm", "aes-256-gcm", "chacha20-poly1305", "<des> & more"],
        },
        { label: "compiler", scale: "category", categories: ["gcc 13", "clang 18", "icx"] },
        { label: "T_total", unit: parseUnit("ms"), scale: "log" },
        [0, 1, 2, 3],
        [0, 1, 2],
        (x, y) => (x === 3 && y === 0 ? 0 : 10 ** (x - 1) * (y + 1)),
      ),
    ],
  },
  "surface-of-few": {
    title: "Places without neighbours",
    blocks: [
      surface(
        { label: "n", scale: "linear" },
        { label: "m", scale: "linear" },
        { label: "T", unit: parseUnit("s"), scale: "linear" },
        [1, 2, 3],
        [1, 2, 3],
        (x, y) => (x === y ? x * 1.5 : Number.NaN),
      ),
    ],
  },
  "heat-map": {
    title: "Allocations by address",
    blocks: [
      {
        ...surface(
          { label: "snapshot", scale: "linear" },
          { label: "address", scale: "category", categories: ["0x55d0c000", "0x55d0d000", "0x7f01a000 <&>"] },
          { label: "bytes", unit: parseUnit("Byte"), scale: "linear" },
          [0, 1, 2, 5, 9],
          [0, 1, 2],
          (x, y) => (x === 2 && y === 1 ? Number.NaN : (x + 1) * 256 * (y + 1)),
        ),
        flat: true,
      },
    ],
  },
  "heat-map-dense": {
    title: "Many cells",
    blocks: [
      {
        ...surface(
          { label: "x", scale: "linear" },
          { label: "y", scale: "linear" },
          { label: "hits", scale: "log" },
          Array.from({ length: 80 }, (_, i) => i),
          Array.from({ length: 50 }, (_, i) => i * 4096),
          (x, y) => ((x * 7 + y / 4096) % 11) * (x > 40 ? 1000 : 1),
        ),
        flat: true,
      },
    ],
  },
  "surface-dense": {
    title: "Very many places",
    blocks: [
      surface(
        { label: "x", scale: "linear" },
        { label: "y", scale: "linear" },
        { label: "height", scale: "linear" },
        Array.from({ length: 130 }, (_, i) => i / 10),
        Array.from({ length: 28 }, (_, i) => i / 3),
        (x, y) => Math.sin(Math.hypot(x - 6, y - 4) * 1.5) / (1 + Math.hypot(x - 6, y - 4) / 2),
      ),
    ],
  },
  contours: { title: "Hills", blocks: [{ ...hills, flat: true, contours: "filled" }] },
  "contour-lines": { title: "Hills as lines", blocks: [{ ...hills, flat: true, contours: "lines" }] },
  "contours-log": {
    title: "Bandwidth with holes",
    blocks: [
      {
        ...surface(
          { label: "S_message", unit: parseUnit("Byte"), scale: "log2" },
          { label: "threads <&>", scale: "category", categories: ["1", "2", "4", "8", "<16>", "32"] },
          { label: "B_copy", unit: parseUnit("GiByte/s"), scale: "log" },
          Array.from({ length: 11 }, (_, i) => 2 ** (i + 10)),
          [0, 1, 2, 3, 4, 5],
          (x, y) =>
            (x === 8192 && y === 3) || (x === 2 ** 19 && y < 2) || (x === 2 ** 20 && y === 1)
              ? Number.NaN
              : (2 ** y * x) / (2 ** 15 + x),
        ),
        flat: true,
        contours: "filled",
      },
    ],
  },
  hostile: {
    title: 'a <b>title</b> & "quotes" \x1b[31m',
    blocks: [
      { kind: "text", text: "two lines\n</svg><script>alert(1)</script>\n=1+2 | a `tick` \u202etxt" },
      {
        kind: "table",
        caption: "cells | of <all> sorts",
        head: [
          { label: "name", align: "left" },
          { label: "value", align: "right" },
        ],
        rows: [
          ['=HYPERLINK("http://x")', "-1.5"],
          ["a|b\nc\\", "12345.25"],
          ["日本語 \x9b2J", "7"],
          ["*bold* _it_ [l](u) <img src=x>", ""],
        ],
      },
      {
        kind: "chart",
        caption: "{a|rich} text",
        mark: "line",
        x: { label: "<x> & {value}", scale: "category", categories: ["</text>", "b & c", "\x07bell", "{b}"] },
        y: [{ label: '"y" \u0000', scale: "linear" }],
        series: [
          series("</svg>{a}", [0, 1, 2, 3], [1, 2, Number.NaN, 3]),
          series("__proto__", [0, 1, 2, 3], [3, Number.POSITIVE_INFINITY, 1, 2]),
        ],
      },
      {
        ...surface(
          { label: "</text><x>", scale: "category", categories: ["<b>", "\x1b[2J"] },
          { label: "'y' \u202e", scale: "category", categories: ["&amp;", '"'] },
          { label: "z' onload='", scale: "linear" },
          [0, 1],
          [0, 1],
          (x, y) => x + 2 * y,
        ),
        caption: "<script>alert(2)</script>",
      },
    ],
  },
  "flame-graph": {
    title: "./solver matrix.txt",
    blocks: [{ kind: "flame", graph: flameGraph(stacks(solver), {}) }],
  },
  "flame-graph-inverted": {
    title: "From the innermost calls",
    blocks: [
      {
        kind: "flame",
        graph: flameGraph(stacks(solver), { form: "inverted" }),
        colors: "module",
        grows: "up",
        frameHeight: 16,
      },
    ],
  },
  "flame-difference": {
    title: "Two versions of the solver",
    blocks: [
      {
        kind: "flame",
        caption: "normalised, as wide as before",
        graph: flameDifference(flameGraph(stacks(solver), {}), flameGraph(stacks(laterSolver), {}), {
          normalised: true,
          widths: "base",
        }),
      },
    ],
  },
};

function chart(title: string, block: Omit<ChartBlock, "kind">): Figure {
  return { title, blocks: [{ kind: "chart", ...block }] };
}

function series(label: string, x: number[], y: number[], error?: number): ChartSeries {
  const points = { label, axis: 0, x: Float64Array.from(x), y: Float64Array.from(y) } as const;
  if (error === undefined) return points;
  return { ...points, low: points.y.map((value) => value - error), high: points.y.map((value) => value + error / 2) };
}

function surface(
  x: Axis,
  y: Axis,
  z: Axis,
  xs: number[],
  ys: number[],
  height: (x: number, y: number) => number,
): SurfaceBlock {
  const zs = Float64Array.from(ys.flatMap((across) => xs.map((along) => height(along, across))));
  return { kind: "surface", x, y, z, xs: Float64Array.from(xs), ys: Float64Array.from(ys), zs };
}

/** Deterministic points that look random. */
function dense(label: string, center: number, spread: number): ChartSeries {
  const x = Float64Array.from({ length: 1500 }, (_, i) => i);
  return {
    label,
    axis: 0,
    x,
    y: x.map((i) => center + spread * Math.sqrt((((i * 7919) % 10007) + 1) / 10007) * (i % 3 === 0 ? -1 : 1)),
  };
}

/** Stacks from lines such as `a;b 3`; modules are named after the first letter of the function. */
function stacks(text: string): StackProfile {
  const samples = text.split("\n").map((line) => {
    const end = line.lastIndexOf(" ");
    const names = line.slice(0, end).split(";");
    return {
      calls: names.map((name) => ({ function: name, module: { path: `/usr/lib/lib${name[0]}.so` } })),
      values: [Number(line.slice(end + 1))],
      labels: [],
    };
  });
  return profileOfSamples(samples, [{ name: "cpu", unit: "milliseconds" }]);
}
