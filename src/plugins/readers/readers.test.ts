import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { StackProfile } from "../../core/profiles/index.ts";
import { readerContract } from "../../../test/contracts/reader.ts";
import { geckoThread } from "../../../test/fakes/gecko-thread.ts";
import type { ReadGuide, ReadTools } from "./reader.ts";
import { caliper, callgrind, gprof, hatchet, pstats, tau } from "./call-graphs.ts";
import { perfData, perfScript } from "./perf.ts";
import { cpuprofile, gecko, heapprofile, perfetto, traceEvents } from "./browser-profiles.ts";
import { folded, jfr, otlp, pprof, pprofLegacy, speedscope } from "./exchange-formats.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-readers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Formats of unavailable programs: documents according to their specifications. */
function written(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

const files = {
  folded: written("folded", "main;a;b 3\nmain;a 4\nmain 0.5\n"),
  speedscope: written("speedscope", {
    shared: { frames: [{ name: "a", file: "a.c", line: 3 }, { name: "b" }] },
    profiles: [
      {
        type: "evented",
        name: "x",
        unit: "seconds",
        startValue: 0,
        endValue: 3,
        events: [
          { type: "O", frame: 0, at: 0 },
          { type: "O", frame: 1, at: 1 },
          { type: "C", frame: 1, at: 2 },
        ],
      },
      { type: "sampled", name: "y", unit: "none", startValue: 0, endValue: 3, samples: [[0, 1], [0]], weights: [1, 2] },
    ],
  }),
  gecko: written("gecko", {
    meta: { version: 24, interval: 1, processType: 0 },
    libs: [],
    threads: [geckoThread("one"), geckoThread("two")],
  }),
  otlp: "test/samples/otlp-profiles/planted.pb",
  otlpJson: "test/samples/otlp-profiles/planted.json",
  perfetto: "test/samples/perfetto/planted.pftrace",
  perfData: "test/samples/perf-data/user.data",
  perfPipe: "test/samples/perf-data/pipe.data",
  perf: "test/samples/perf-script/events.txt",
  pprof: "test/samples/profiles/go-heap.pb.gz",
  cpu: "test/samples/profiles/go-cpu.pb.gz",
  legacy: "test/samples/profiles/go-heap.txt",
  callgrind: "test/samples/profiles/callgrind.out",
  gprof: "test/samples/profiles/gprof.txt",
  jfr: "test/samples/profiles/planted.jfr.gz",
  trace: "test/samples/profiles/node-trace.json",
  cpuprofile: "test/samples/v8/spin.cpuprofile",
  heapprofile: "test/samples/v8/keep.heapprofile",
  source: "test/samples/heap-profilers/heap.c",
  massif: "test/samples/heap-profilers/massif.out",
  dhat: "test/samples/heap-profilers/dhat.json",
  heaptrack: "test/samples/heap-profilers/heaptrack.txt",
  caliper: "test/samples/caliper/lulesh.json",
  cali: "test/samples/caliper/planted.cali",
  caliperRecords: "test/samples/caliper/records.json",
  hatchet: "test/samples/hatchet/literal.json",
  hatchetGraph: "test/samples/hatchet/graph.json",
  hatchetSnapshot: "test/samples/hatchet/snapshot.json",
  tau: "test/samples/tau/profile.0.0.0",
  tauPaths: "test/samples/tau/callpaths.txt",
  pstats: "test/samples/python-profile/py313.pstats",
  pstats2: "test/samples/python-profile/py27.pstats",
};

function contract(reader: Parameters<typeof readerContract>[0], ...own: string[]): void {
  const strangers = Object.values(files).filter((file) => !own.includes(file));
  readerContract(reader, own[0]!, strangers);
}

contract(otlp, files.otlp, files.otlpJson);
contract(perfetto, files.perfetto);
contract(perfData, files.perfData, files.perfPipe);
contract(perfScript, files.perf);
contract(folded, files.folded);
contract(pprof, files.pprof, files.cpu);
contract(pprofLegacy, files.legacy);
contract(cpuprofile, files.cpuprofile);
contract(heapprofile, files.heapprofile);
contract(speedscope, files.speedscope);
contract(caliper, files.caliper, files.caliperRecords, files.cali);
contract(caliper, files.cali, files.caliper, files.caliperRecords);
contract(hatchet, files.hatchet, files.hatchetGraph, files.hatchetSnapshot);
contract(tau, files.tau, files.tauPaths);
contract(pstats, files.pstats, files.pstats2);
contract(callgrind, files.callgrind);
contract(gprof, files.gprof);
contract(gecko, files.gecko);
contract(jfr, files.jfr);
contract(traceEvents, files.trace);

describe("programs of this machine", () => {
  const read = (name: string, tools: ReadTools, local?: ReadGuide["local"]): Promise<StackProfile> => {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(readFileSync(`test/samples/perf-data/${name}`));
    }
    const guide = { path: "some.data", directory: "/", tools, ...(local === undefined ? {} : { local }) };
    return perfData.stacks(source(), new Map(), guide);
  };
  const none: ReadTools = { perfScript: async () => null, demangle: async () => new Map() };

  test("perf script prints recordings that only perf can read", async () => {
    const reasons: string[] = [];
    const perfScript: ReadTools["perfScript"] = async (reason) => {
      reasons.push(reason);
      return new Uint8Array(readFileSync("test/samples/perf-data/user.txt"));
    };
    const profile = await read("dwarf.data", { ...none, perfScript });
    expect([reasons, profile.samples.length > 0]).toEqual([["its stacks are copies of memory or of branches"], true]);
    await expect(read("dwarf.data", none)).rejects.toMatchObject({
      code: "needs-perf-script",
      remedy: expect.stringContaining("perf script -i some.data > some.data.txt"),
    });
    // A recording that perfkeep reads itself, or that is damaged, is not given to perf.
    await read("user.data", { ...none, perfScript });
    expect(reasons).toHaveLength(1);
  });

  test("c++filt gives the names of C++ functions, which else stay as they are", async () => {
    const bytes = new Uint8Array(readFileSync("test/samples/perf-data/names"));
    const local = (path: string) => (path === "/opt/planted/names" ? { bytes, inode: 1 } : null);
    const namesOf = (profile: StackProfile): string[] => profile.stacks.frames.map(({ function: name }) => name);
    const demangle: ReadTools["demangle"] = async (names) =>
      new Map(names.filter((name) => name.includes("sum")).map((name) => [name, "geo::Grid<double>::sum"]));
    const names = namesOf(await read("names.data", { ...none, demangle }, local));
    expect(names).toContain("geo::Grid<double>::sum");
    expect(namesOf(await read("names.data", none, local))).toContain("_ZN3geo4GridIdE3sumEi");
  });
});
