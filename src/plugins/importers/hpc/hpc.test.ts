import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import type { Importer } from "../importer.ts";
import { benchexec } from "../interchange/junit.ts";
import { extraP, mlperf } from "./experiment-logs.ts";
import { hpl, npb, stream } from "./compute-benchmarks.ts";
import { hpcc, hpcg, jube } from "./hpc-suites.ts";
import { iperf3, stressNg } from "./system-benchmarks.ts";
import { gromacs, lammps, namd } from "./molecular-dynamics.ts";
import { imb, osu } from "./mpi-benchmarks.ts";
import { llamaBench, reframePerflog, reframeReport } from "./pipe-tables.ts";
import { jmeter, ycsb } from "../tools/load-generators.ts";
import { iozone, ior, mdtest } from "./storage-benchmarks.ts";

const samples: readonly (readonly [Importer, readonly string[]])[] = [
  [osu, ["allreduce.txt"]],
  [imb, ["pingpong.txt"]],
  [hpl, ["grids.txt"]],
  [stream, ["two-runs.txt"]],
  [ior, ["two-tests.txt"]],
  [mdtest, ["shared.txt"]],
  [npb, ["cg.txt"]],
  [hpcg, ["report.txt"]],
  [hpcc, ["summary.txt"]],
  [iozone, ["auto.txt"]],
  [lammps, ["runs.txt"]],
  [gromacs, ["mdrun.txt"]],
  [namd, ["benchmark.txt"]],
  [reframePerflog, ["test.log"]],
  [reframeReport, ["report.json"]],
  [llamaBench, ["two-tables.md"]],
  [iperf3, ["tcp.txt", "tcp.json", "stream.ndjson"]],
  [stressNg, ["metrics.txt", "brief.txt", "metrics.yaml"]],
  [ycsb, ["two-runs.txt"]],
  [jmeter, ["load.jtl", "load.xml"]],
  [extraP, ["one-parameter.jsonl", "two-parameters.txt"]],
  [benchexec, ["verifier.results.xml"]],
  [jube, ["result.txt"]],
  [mlperf, ["training.log", "inference.log"]],
];

for (const [importer, names] of samples)
  reportImporterContract(
    importer,
    names.map((name) => `test/samples/${importer.name}/${name}`),
  );

describe.each(samples.map(([importer, [name = ""]]) => [importer.name, importer, name] as const))(
  "importer %s",
  (_, importer, name) => {
    test("reads all rows of its sample", async () => {
      const [run] = await readSample(importer, `test/samples/${importer.name}/${name}`);
      expect({ once: run!.once, rows: run!.rows, notices: run!.notices }).toMatchSnapshot();
    });
  },
);

async function rowsOf(importer: Importer, text: string): Promise<readonly object[]> {
  const runs = await readReport(importer, new TextEncoder().encode(text));
  return runs.flatMap(({ rows }) => rows);
}

test("a row that is cut at the end of the log is no result", async () => {
  const table = "# OSU MPI Latency Test v7.5\n# Size          Latency (us)\n1                       1.25\n";
  expect(await rowsOf(osu, `${table}2                       1.5`)).toHaveLength(1);
  expect(await rowsOf(osu, `${table}2                       1.50`)).toHaveLength(2);
});

test("a text about OSU without a row is not one of its logs", () => {
  const text =
    "A run starts with\n\n    # OSU MPI Latency Test v5.8\n    # Size          Latency (us)\n\n| n | 755 |\n";
  expect(osu.sniff(new TextEncoder().encode(text))).toBe(0);
});

test("Mbytes of IMB are 10^6 bytes from 2018 on", async () => {
  const log = (version: string): string =>
    `#    Intel(R) MPI Benchmarks ${version}, MPI-1 part\n# Benchmarking PingPong\n` +
    "#bytes #repetitions t[usec] Mbytes/sec\n 4 9 1.00 4.00\n";
  expect(await rowsOf(imb, log("2019 Update 6"))).toMatchObject([{ bandwidth: 4e6 }]);
  expect(await rowsOf(imb, log("4.1 Update 1"))).toMatchObject([{ bandwidth: 4 * 2 ** 20 }]);
});

test("tags of MPI launchers and titles of terminals are not part of the lines", async () => {
  const text = "[1,0]<stdout>:Loop time of 2.5 on 4 procs for 10 steps with 40 atoms\n";
  expect(await rowsOf(lammps, text)).toMatchObject([{ loop_time: 2.5, procs: 4 }]);
  expect(await rowsOf(lammps, `\u001b]0;user@node\u0007${text.slice(14)}`)).toHaveLength(1);
});

test("each test of --json-stream is a result, by its first and last event", async () => {
  const [run] = await readSample(iperf3, "test/samples/iperf3/stream.ndjson");
  expect(run!.rows).toEqual([
    {
      benchmark: "iperf3",
      protocol: "TCP",
      streams: 2,
      reverse: false,
      sender_rate: 125e6,
      receiver_rate: 124e6,
      retransmits: 3,
    },
    {
      benchmark: "iperf3",
      protocol: "TCP",
      streams: 4,
      reverse: true,
      sender_rate: 1e8,
      receiver_rate: 99.5e6,
      retransmits: 0,
    },
  ]);
});

test("the report of a ReFrame session holds the figures of tests that passed", async () => {
  const [run] = await readSample(reframeReport, "test/samples/reframe-report/report.json");
  expect(run!.rows).toEqual([
    {
      benchmark: "stream_test %size=1024",
      num_tasks: 2,
      system: "demo:default",
      environ: "gnu",
      copy_bw: 21345.5e6,
      elapsed: 3.25,
    },
    { benchmark: "hello", system: "demo", partition: "default", environ: "gnu", rate: 12.5e9 },
  ]);
});

test("lines of Extra-P's data are the repetitions at the points in their order", async () => {
  const text =
    "PARAMETER p n\nPOINTS (2 10) (4 10)\nREGION main->solve\nMETRIC time\nDATA 1 2\nDATA 3 4\nMETRIC bytes\nDATA 5\n";
  const [run] = await readReport(extraP, new TextEncoder().encode(`${text}METRIC visits\nDATA 6\nDATA 7`));
  expect(run!.rows).toEqual([
    { benchmark: "main->solve", p: 2, n: 10, sample: 1, time: 1, bytes: 5, visits: 6 },
    { benchmark: "main->solve", p: 2, n: 10, sample: 2, time: 2 },
    { benchmark: "main->solve", p: 4, n: 10, sample: 1, time: 3 },
    { benchmark: "main->solve", p: 4, n: 10, sample: 2, time: 4 },
  ]);
  expect(run!.notices).toEqual([
    expect.stringContaining("a region has fewer lines of data than there are points"),
    expect.stringContaining("skipped an incomplete row"),
  ]);
});

test("runs of BenchExec have their figures with units, and their status as parameter", async () => {
  const [run] = await readSample(benchexec, "test/samples/benchexec/verifier.results.xml");
  expect(run!.once).toEqual({ benchmark_set: "cpa-seq", tool: "CPAchecker", tool_version: "1.9" });
  expect(run!.rows.map(({ status, cputime, memory }) => [status, cputime, memory])).toEqual([
    ["true", 18.077505912, 624906240],
    ["false(unreach-call)", 703.613562312, 2182410240],
    ["TIMEOUT", 962.726514515, 6377070592],
  ]);
});

test("tables of JUBE are found amid other lines, several in one log, and prose with a table is none", async () => {
  const table = "result:\n| n | t[ms] |\n|---|-------|\n| 1 |  2.5 |\n| 2 |  3.5 |\n";
  const rows = await rowsOf(jube, `mpirun ./x\n${table}\nnext:\nno table\n${table.replace("result", "other")}| 3 | 9`);
  expect(rows).toEqual([
    { benchmark: "result", n: 1, t: 0.0025 },
    { benchmark: "result", n: 2, t: 0.0035 },
    { benchmark: "other", n: 1, t: 0.0025 },
    { benchmark: "other", n: 2, t: 0.0035 },
  ]);
  const prose = "Results:\n\n| n | t |\n|---|---|\n| 1 | 2.5 |\n";
  expect(jube.sniff(new TextEncoder().encode(prose))).toBe(0);
});

/** Lines that are results, and the rows of each. */
const resultLines = [
  [extraP, "extra-p/two-parameters.txt", /^DATA/, 5],
  [extraP, "extra-p/one-parameter.jsonl", /^\{/, 1],
  [jube, "jube/result.txt", /^\|\s+\d/, 1],
] as const;

test.each(resultLines)(
  "%o reads every result line that is left, amid other lines: %s",
  async (importer, path, is, each) => {
    const lines = readFileSync(`test/samples/${path}`, "utf8").split("\n");
    const all = [...lines.keys()].filter((at) => is.test(lines[at]!));
    const foreign = fc.constantFrom("srun: step 3 done", "warning: 1 2 3", "[node4] DATA lost", "{}", "x | y");
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(all, { minLength: 1 }),
        fc.array(foreign, { maxLength: 5 }),
        async (kept, others) => {
          const left = lines.filter((line, at) => !is.test(line) || kept.includes(at));
          const first = left.findIndex((line) => is.test(line));
          for (const [at, other] of others.entries()) left.splice(first + 2 * at, 0, other);
          expect(await rowsOf(importer, left.join("\n"))).toHaveLength(each * kept.length);
        },
      ),
      { numRuns: Number(process.env["PERFKEEP_MUTATIONS"] ?? 30) },
    );
  },
);

test("miscellaneous rates of stress-ng are better when higher, other metrics are not judged", async () => {
  const log = (text: string): string => `stress-ng: metrc: [1] ${text}`;
  const head = "stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s";
  const lines = [
    head,
    "matrix             5456      2.01      0.85      0.01      2720.64        6383.01",
    "miscellaneous metrics:",
    "matrix            33633.77 add matrix ops per sec (geometric mean of 1 instances)",
    "matrix               12.50 MB mapped (geometric mean of 1 instances)",
  ];
  const [run] = await readReport(stressNg, new TextEncoder().encode(`${lines.map(log).join("\n")}\n`));
  const better = new Map(run!.variables.map((variable) => [variable.name, variable.better]));
  expect([better.get("add_matrix_ops_per_sec"), better.get("MB_mapped")]).toEqual(["higher", undefined]);
});
