import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../../core/verdicts/change.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { jsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import { allRules } from "../../formats/mutation/sample-kind.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { startCampaign, measureBaseline, type InitialSample } from "./start-campaign.ts";
import { decodeCampaign, encodeCampaign, type CampaignState } from "./campaign-state.ts";
import { Campaign } from "./campaign.ts";
import type { CampaignPlan, CampaignWorld } from "./campaign-plan.ts";
import { FuzzFolder } from "./fuzz-folder.ts";
import type { Ending } from "./run-program.ts";

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-fuzz-"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const encoder = new TextEncoder();
const samples: readonly InitialSample[] = [
  { path: "/s/a.txt", name: "a.txt", bytes: encoder.encode("let x = 12\nprint x\n") },
  { path: "/s/b.txt", name: "b.txt", bytes: encoder.encode("one two\n") },
];

const plan: CampaignPlan = {
  seed: 1,
  rules: allRules([]),
  strategy: "mixed",
  sizeLimit: 8000,
  tries: 40,
  interesting: 5,
  rate: 1.5,
  anyGrowth: false,
  seconds: 1e6,
  runs: 90,
};

/** Effort quadratic in the longest run of blanks. */
function work(text: string): number {
  const longest = (text.match(/ +/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  return text.length + longest ** 2;
}

interface FakeProgram {
  /** Effort of the program for the text. */
  readonly effort?: (text: string) => number;
  /** Ending of the program for the text, if not fine. */
  readonly ends?: (text: string) => Ending | undefined;
  readonly interruptAfter?: number;
  readonly millisecondsPerRun?: number;
  readonly isExact?: boolean;
  readonly disturb?: (run: number) => number;
  readonly room?: number;
  readonly folder?: string;
}

interface Scene {
  readonly world: CampaignWorld;
  readonly heard: string[];
  readonly runs: () => number;
}

/** A world whose clock advances only when the program runs. */
function scene(program: FakeProgram = {}): Scene {
  const folder = FuzzFolder.open(join(scratch, program.folder ?? "out"), "test", program.room ?? 1 << 30);
  const [heard, effort] = [[] as string[], program.effort ?? work];
  let [runs, milliseconds] = [0, 0];
  const textAt = (path: string): string => readFileSync(path, "utf8");
  const pass = (): void => {
    runs += 1;
    milliseconds += program.millisecondsPerRun ?? 1;
    if (runs === program.interruptAfter) throw new Failure("interrupted");
  };
  const world: CampaignWorld = {
    folder,
    gauge: {
      kind: "coverage",
      unit: "executed lines",
      isExact: program.isExact ?? true,
      reset: () => {},
      effort: async () => ({ amount: 0, hot: [] }),
    },
    async run(path) {
      pass();
      const text = textAt(path);
      const amount = effort(text) * (program.disturb?.(runs) ?? 1);
      return (
        program.ends?.(text) ?? { kind: "fine", effort: { amount, hot: [{ file: "a.c", line: 1, count: amount }] } }
      );
    },
    async measure(path) {
      pass();
      return profile(effort(textAt(path)));
    },
    judge: (baseline, target) => [change(baseline, target)],
    now: () => milliseconds,
    check: () => {},
    report: (_, find) => find && heard.push(`${find.kind} ${find.id}`),
  };
  return { world, heard, runs: () => runs };
}

function profile(amount: number): Run {
  const subject = {
    properties: jsonObject({ uid: "work", type: "time" }),
    columns: [{ name: "amount", type: "float" as const, values: [amount] }],
  };
  return profileOf({
    type: "time",
    cmd: "work",
    workload: "",
    units: { time: "s" },
    collector: { name: "time", params: jsonObject({}) },
    machine: new Map(),
    subjects: [subject],
  });
}

function amountOf({ data }: Run): number {
  const at = data.variables.findIndex(({ name }) => name === "amount");
  return Number((data.columns[at] as { values: ArrayLike<number> }).values[0]);
}

function change(baseline: Run, target: Run): Change {
  const [from, to] = [amountOf(baseline), amountOf(target)];
  const sides = { from: String(from), to: String(to), rate: to / from, relativeRate: 0 };
  return {
    location: "work",
    result: to >= 2 * from ? "Degradation" : "NoChange",
    type: "time",
    ...sides,
    confidence: { type: "no", rate: 0 },
    method: "test",
  };
}

async function started({ world }: Scene, how: CampaignPlan = plan): Promise<{ state: CampaignState; baseline: Run }> {
  const state = world.folder.load() ?? (await startCampaign(world, how, { command: "work" }, samples));
  return { state, baseline: await measureBaseline(world, how, state) };
}

async function session(
  program: FakeProgram = {},
  how: CampaignPlan = plan,
): Promise<Scene & { state: CampaignState; end: unknown }> {
  const scenario = scene(program);
  const { state, baseline } = await started(scenario, how);
  const end: unknown = await new Campaign(scenario.world, how, state, baseline, scenario.world.now())
    .run()
    .catch((error: unknown) => error);
  scenario.world.folder.close();
  return { ...scenario, state, end };
}

/** The state without times and the number of sessions. */
function course(state: CampaignState): object {
  const finds = state.finds.map(({ seconds: _, runs: __, ...find }) => find);
  return { ...state, seconds: 0, runs: 0, finds, curve: state.curve.map(({ effort }) => effort) };
}

describe("a campaign", () => {
  test("finds quadratic inputs, and stores them with their profile", async () => {
    const { state, end, heard } = await session();
    expect(end).toBe("runs");
    const [worst] = state.finds.toSorted((a, b) => (b.effort ?? 0) - (a.effort ?? 0));
    expect(worst).toMatchObject({
      kind: "degradation",
      detail: expect.stringContaining("Degradation of work"),
      hot: [{ file: "a.c", line: 1 }],
    });
    expect(worst!.effort!).toBeGreaterThan(1e6);
    expect(work(readFileSync(join(scratch, "out/degradations", worst!.file!), "utf8"))).toBe(worst!.effort);
    expect(readdirSync(join(scratch, "out/profiles"))).toContain(`${worst!.file!.slice(0, 6)}.perf`);
    expect(heard).toEqual(state.finds.map(({ kind, id }) => `${kind} ${id}`));
    expect(readdirSync(join(scratch, "out")).toSorted()).not.toContain("work");
  });

  test("finds nothing if effort grows linearly with size, unless anyGrowth is set", async () => {
    const effort = (text: string): number => 1000 + 3 * text.length;
    const { state } = await session({ effort, folder: "usual" });
    // The best of each round without measurements is kept for further mutation.
    expect([state.finds, state.samples.length]).toEqual([[], 4]);
    expect((await session({ effort, folder: "any" }, { ...plan, anyGrowth: true })).state.finds.length).toBeGreaterThan(
      3,
    );
  });

  test("finds effort quadratic in the size", async () => {
    const effort = (text: string): number => 1000 + text.length ** 2;
    const { state } = await session({ effort });
    expect(state.finds.length).toBeGreaterThan(3);
  });

  test("derives no slope if the program rejects a repeated sample", async () => {
    const ends = (text: string): Ending | undefined =>
      text.split("print").length > 2 || text.length > 1e4
        ? { kind: "fault", detail: "exited with status 1" }
        : undefined;
    const effort = (text: string): number => text.length;
    expect((await session({ ends, effort, folder: "lines" })).state.slope).toBe(1);
    expect((await session({ ends, effort, folder: "time", isExact: false })).state.slope).toBe(0);
  });

  test("is determined by the seed", async () => {
    const states = [
      await session({ folder: "a" }),
      await session({ folder: "b" }),
      await session({ folder: "c" }, { ...plan, seed: 2 }),
    ];
    expect(course(states[1]!.state)).toEqual(course(states[0]!.state));
    expect(course(states[2]!.state)).not.toEqual(course(states[0]!.state));
  });

  test("resumed after its end equals an uninterrupted one", async () => {
    const whole = await session({ folder: "whole" });
    await session({ folder: "parts" }, { ...plan, runs: 37 });
    const parts = await session({ folder: "parts" }, { ...plan, runs: whole.state.runs - 2 - 37 });
    expect(course(parts.state)).toEqual(course(whole.state));
    expect(course(parts.world.folder.load()!)).toEqual(course(whole.state));
  });

  test("resumed after an interrupt equals an uninterrupted one", async () => {
    const whole = await session({ folder: "whole" });
    for (const interruptAfter of [12, 23, 60, 61, 62]) await expectResume(whole.state, interruptAfter);
  });

  async function expectResume(whole: CampaignState, interruptAfter: number): Promise<void> {
    rmSync(join(scratch, "parts"), { recursive: true, force: true });
    const stopped = await session({ folder: "parts", interruptAfter });
    expect(isFailure(stopped.end, "interrupted")).toBe(true);
    const before = stopped.world.folder.load()!;
    const parts = await session({ folder: "parts" }, { ...plan, runs: whole.runs - before.runs });
    expect(course(parts.state)).toEqual(course(whole));
  }

  test("ends at its time limit", async () => {
    const { end, state } = await session({ millisecondsPerRun: 100 }, { ...plan, seconds: 4 });
    expect([end, state.seconds]).toEqual(["time", 4]);
  });

  test("ignores a run cut by its end", async () => {
    const scenario = scene({ millisecondsPerRun: 100 });
    const { state, baseline } = await started(scenario);
    const run = async (): Promise<Ending> => (await scenario.world.run("/dev/null", 1), { kind: "cut" });
    await new Campaign(
      { ...scenario.world, run },
      { ...plan, seconds: 1 },
      state,
      baseline,
      scenario.world.now(),
    ).run();
    expect([state.steps, state.tried, state.hangs, state.finds]).toEqual([0, 0, 0, []]);
  });

  test("repeats a measurement cut by its end", async () => {
    const scenario = scene({ millisecondsPerRun: 100 });
    const { state, baseline } = await started(scenario);
    const measure = async (path: string): Promise<Run> => {
      for (let run = 0; run < 300; run++) await scenario.world.run(path, 1);
      throw new Failure("command-timed-out", { command: "work", seconds: 1 });
    };
    await new Campaign(
      { ...scenario.world, measure },
      { ...plan, seconds: 20 },
      state,
      baseline,
      scenario.world.now(),
    ).run();
    expect([state.phase, state.waiting.length, state.hangs]).toEqual(["measure", 1, 0]);
  });

  test("measures extreme samples immediately, others at the end of a round, worst first", async () => {
    const urgent = await session({ folder: "urgent" });
    expect(urgent.state.finds[0]!.runs).toBeLessThan(15);
    // Never ten times the effort expected for the size.
    const effort = (text: string): number => 1000 + Math.min(8000, text.length * (text.includes("  ") ? 9 : 1));
    const { state } = await session({ effort, folder: "calm" });
    const [first, second] = state.finds;
    expect(first!.runs).toBeGreaterThan(plan.interesting);
    expect(first!.effort! / (1000 + first!.size)).toBeGreaterThanOrEqual(second!.effort! / (1000 + second!.size));
  });

  test("counts hangs and faults, and stores the first twenty of a kind", async () => {
    const ends = (text: string): Ending | undefined => {
      if (text.length > 2000) return { kind: "hang" };
      return text.includes("\n\n") || text.length > 900 ? { kind: "fault", detail: "was ended by SIGSEGV" } : undefined;
    };
    const { state } = await session({ ends }, { ...plan, runs: 300 });
    const kept = (kind: string): number => state.finds.filter((find) => find.kind === kind).length;
    expect([state.hangs > 20, kept("hang"), kept("fault")]).toEqual([true, 20, Math.min(20, state.faults)]);
    expect(readdirSync(join(scratch, "out/hangs")).length).toBe(20);
    expect(state.samples.every(({ size }) => size <= 2000)).toBe(true);
  });

  test("ignores an unconfirmed time", async () => {
    const disturb = (run: number): number => (run % 3 === 0 && run > 2 ? 1e9 : 1);
    const { state } = await session({ isExact: false, disturb });
    expect(state.samples.every(({ effort }) => effort < 1e9)).toBe(true);
  });

  test("observes the disk limit: evicts the least fit samples, never initial ones", async () => {
    const room = 60_000;
    const { state } = await session({ room }, { ...plan, runs: 400 });
    const { world } = await session({ room }, { ...plan, runs: 1 });
    const folders = ["samples", "degradations", "hangs", "faults", "profiles"];
    const files = folders.flatMap((name) =>
      readdirSync(join(scratch, "out", name)).map((file) => readFileSync(join(scratch, "out", name, file)).length),
    );
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(room);
    expect(state.samples.filter(({ rule }) => rule === null).length).toBe(2);
    expect(state.samples.every((sample) => world.folder.sample(sample) !== null)).toBe(true);
  });

  test("rejects an initial sample on which the program fails", async () => {
    const scenario = scene({
      ends: (text) => (text.startsWith("one") ? { kind: "fault", detail: "exited with status 1" } : undefined),
    });
    const error: unknown = await started(scenario).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "bad-sample", message: expect.stringContaining("/s/b.txt") });
    scenario.world.folder.close();
    expect(readdirSync(scratch)).toEqual([]);
  });
});

describe("the folder", () => {
  const open = (name: string): FuzzFolder => FuzzFolder.open(join(scratch, name), "test", 1 << 20);
  const code = (action: () => unknown): unknown => {
    try {
      return action();
    } catch (error) {
      return isFailure(error) ? error.code : error;
    }
  };

  test("is exclusive to one campaign", () => {
    const first = open("out");
    expect(code(() => open("out"))).toBe("lock-held");
    first.close();
  });

  test("leaves other files alone, and is refused if they have names of its own", () => {
    mkdirSync(join(scratch, "mine"));
    writeFileSync(join(scratch, "mine/notes.txt"), "");
    open("mine").close();
    expect(readdirSync(join(scratch, "mine"))).toEqual(["notes.txt"]);
    mkdirSync(join(scratch, "mine/logs"));
    writeFileSync(join(scratch, "mine/logs/server.log"), "");
    expect(code(() => open("mine"))).toBe("output-folder-taken");
    expect(readdirSync(join(scratch, "mine"))).toEqual(["logs", "notes.txt"]);
  });

  test("does not follow links", () => {
    mkdirSync(join(scratch, "elsewhere"));
    mkdirSync(join(scratch, "out"));
    symlinkSync(join(scratch, "elsewhere"), join(scratch, "out/samples"));
    expect(code(() => open("out"))).toBe("output-folder-taken");
    expect(readdirSync(join(scratch, "elsewhere"))).toEqual([]);
  });

  test("replaces a link that the program left instead of its input", () => {
    const folder = open("out");
    writeFileSync(join(scratch, "precious"), "original");
    const path = folder.stage("000000-a.txt", encoder.encode("first"));
    rmSync(path);
    symlinkSync(join(scratch, "precious"), path);
    expect(readFileSync(folder.stage("000001-b.txt", encoder.encode("second")), "utf8")).toBe("second");
    expect(readFileSync(join(scratch, "precious"), "utf8")).toBe("original");
  });

  test("removes unreferenced files of a killed campaign", async () => {
    const { state } = await session();
    writeFileSync(join(scratch, "out/samples/999999-a.txt"), "orphan");
    const before = readdirSync(join(scratch, "out/samples")).length;
    const folder = open("out");
    folder.sweep(state);
    expect(readdirSync(join(scratch, "out/samples")).length).toBe(before - 1);
    expect(state.finds.every(({ file }) => file === null || folder.has("degradations", file))).toBe(true);
  });

  test("detects a changed sample", async () => {
    const { state, world } = await session();
    const sample = state.samples.at(-1)!;
    writeFileSync(join(scratch, "out/samples", sample.file), "changed");
    expect(world.folder.sample(sample)).toBeNull();
  });
});

describe("a state on disk", () => {
  test("round-trips", async () => {
    const { state } = await session();
    expect(decodeCampaign(encodeCampaign(state), "state.json")).toEqual(state);
  });

  test("is rejected when damaged", async () => {
    const { state } = await session({}, { ...plan, runs: 40 });
    const bytes = encodeCampaign(state);
    const text = new TextDecoder().decode(bytes);
    const damaged = [
      text.slice(0, -20),
      text.replace('"file":"000000-a.txt"', '"file":"../../etc/passwd"'),
      text.replace(/"parent":\d+/, '"parent":77777'),
      text.replace(/"plan":\[/, '"plan":[999,'),
      text.replace(/"base":[\d.]+/, '"base":-1'),
      text.replace(/"phase":"\w+"/, '"phase":"rest"'),
      "null",
      "[]",
      "{}",
    ];
    for (const one of damaged) {
      expect(one).not.toBe(text);
      expect(() => decodeCampaign(encoder.encode(one), "state.json")).toThrow(
        expect.objectContaining({ code: "campaign-damaged" }) as Error,
      );
    }
    for (let at = 0; at < bytes.length; at += 97) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x15;
      try {
        decodeCampaign(flipped, "state.json");
      } catch (error) {
        expect(isFailure(error, "campaign-damaged")).toBe(true);
      }
    }
  });
});
