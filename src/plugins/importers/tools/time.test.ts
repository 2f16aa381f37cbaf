import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { time } from "./time.ts";

const folder = "test/samples/time";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  time,
  ["v.txt", "gnu.txt", "bash.txt", "posix.txt", "zsh.txt"].map((name) => `${folder}/${name}`),
);

test("reads all metrics of a command", async () => {
  const [run] = await readSample(time, `${folder}/v.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sort /etc/services",
      time: 0,
      user: 0,
      system: 0,
      memory: 1788 * 1024,
      major_faults: 1,
      minor_faults: 110,
      voluntary_switches: 3,
      involuntary_switches: 0,
      inputs: 168,
      outputs: 0,
      exit_status: 0,
    },
  ]);
  const [gnu] = await readSample(time, `${folder}/gnu.txt`);
  expect(gnu!.rows).toMatchObject([
    { benchmark: "command", time: 0.02, memory: 2148 * 1024, major_faults: 1, minor_faults: 125, inputs: 8 },
  ]);
});

test("reads formats of shells, and repetitions as samples", async () => {
  const [zsh] = await readSample(time, `${folder}/zsh.txt`);
  expect(zsh!.rows).toEqual([{ benchmark: "( sleep 0.02; )", time: 0.025, user: 0, system: 0 }]);
  const text = "real\t1m2.500s\nuser\t0m1.250s\nsys\t0m0.125s\nout\nreal\t0m3.000s\nuser\t0m0.000s\nsys\t0m0.000s\n";
  expect(await readReport(time, bytesOf(text)).then(([run]) => run!.rows)).toEqual([
    { benchmark: "command", sample: 1, time: 62.5, user: 1.25, system: 0.125 },
    { benchmark: "command", sample: 2, time: 3, user: 0, system: 0 },
  ]);
  const timed = 'Command being timed: "a: b"\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03\n';
  expect(await readReport(time, bytesOf(timed)).then(([run]) => run!.rows)).toEqual([
    { benchmark: "a: b", time: 3723 },
  ]);
});
