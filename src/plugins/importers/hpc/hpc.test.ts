import { describe, expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import type { Importer } from "../importer.ts";
import { hpl, npb, stream } from "./compute-benchmarks.ts";
import { hpcc, hpcg } from "./hpc-suites.ts";
import { iperf3, stressNg } from "./system-benchmarks.ts";
import { gromacs, lammps, namd } from "./molecular-dynamics.ts";
import { imb, osu } from "./mpi-benchmarks.ts";
import { llamaBench, reframePerflog, reframeReport } from "./pipe-tables.ts";
import { mlperf } from "./mlperf.ts";
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
