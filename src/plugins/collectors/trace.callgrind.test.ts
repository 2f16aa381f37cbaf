import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { have, scratchShell } from "../../../test/programs/scratch-shell.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { regressionAnalysis } from "../postprocessors/regression-analysis.ts";
import { lastModel, pointsRun } from "../../../test/contracts/postprocessor.ts";
import { fakeShell } from "../../../test/fakes/shell.ts";
import { trace } from "./trace.ts";

const { folder, scratch, shell } = scratchShell();

type Params = Readonly<Record<string, Value>>;

/** A function, or a pair if there is a caller. */
interface Row {
  readonly uid: string;
  readonly subtype: string;
  readonly caller: string | undefined;
  readonly cycle: number | undefined;
  readonly amount: number;
  readonly exclusive: number | undefined;
  readonly calls: number;
}

const jobOf = (cmd: string, params: Params): Parameters<typeof trace.collect>[0] => ({
  cmd,
  workload: "",
  directory: folder,
  params: new Map(Object.entries({ engine: "callgrind", ...params })),
  machine: new Map(),
});

async function rowsOf(cmd: string, params: Params = {}): Promise<Row[]> {
  const bytes = encodeProfile(await trace.collect(jobOf(cmd, params), shell));
  const { resources, resource_type_map, header } = JSON.parse(new TextDecoder().decode(bytes)) as {
    resources: Record<string, Record<string, number[]>>;
    resource_type_map: Record<string, Record<string, unknown>>;
    header: unknown;
  };
  expect(header).toMatchObject({ type: "mixed", units: { "mixed(instructions)": "event" } });
  return Object.entries(resources).map(([id, columns]) => {
    const { uid, subtype, caller, cycle } = resource_type_map[id] as unknown as Row;
    return {
      uid,
      subtype,
      caller,
      cycle,
      amount: columns["amount"]![0]!,
      exclusive: columns["exclusive"]?.[0],
      calls: columns["calls"]![0]!,
    };
  });
}

describe.runIf(have("valgrind") && have("cc") && have("nm") && process.platform === "linux")(
  "callgrind (needs valgrind, cc and nm)",
  () => {
    let cmd: string;
    beforeAll(() => {
      writeFileSync(
        join(folder, "work.c"),
        `#include <stdlib.h>
#define APART __attribute__((noinline, noclone))
static volatile int work;
APART static void leaf(void) { work++; }
APART static void often(int n) { for (int i = 0; i < n; i++) leaf(); }
APART static int even(int n);
APART static int odd(int n) { leaf(); return n == 0 ? 0 : even(n - 1); }
APART static int even(int n) { return n == 0 ? 1 : odd(n - 1) + work * 0; }
APART static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1) + work * 0; }
APART static void quadratic(int n) { for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) work++; }
int main(int count, char **words) {
  int n = count > 1 ? atoi(words[1]) : 3;
  often(1000);
  leaf();
  quadratic(n);
  return !(even(10) && factorial(6) == 720);
}
`,
      );
      const { status, stderr } = spawnSync("cc", ["-O1", "-fno-optimize-sibling-calls", "-o", "work", "work.c"], {
        cwd: folder,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
      cmd = "./work";
    });

    test("counts calls, and inclusive and exclusive instructions, of functions and pairs", async () => {
      const rows = await rowsOf(cmd);
      const of = (uid: string): Row => rows.find((row) => row.uid === uid && row.caller === undefined)!;
      const pairs = (uid: string): unknown[] =>
        rows.filter((row) => row.uid === uid && row.caller !== undefined).map(({ caller, calls }) => [caller, calls]);
      expect([of("leaf").calls, of("often").calls, of("factorial").calls]).toEqual([1006, 1, 6]);
      expect(pairs("leaf").toSorted()).toEqual([
        ["main", 1],
        ["odd", 5],
        ["often", 1000],
      ]);
      expect(pairs("factorial").toSorted()).toEqual([
        ["factorial", 5],
        ["main", 1],
      ]);
      expect(of("leaf").amount).toBe(of("leaf").exclusive);
      expect(of("leaf").amount % 1006).toBe(0);
      expect(of("often").amount).toBe(of("often").exclusive! + (of("leaf").amount / 1006) * 1000);
      expect(of("factorial").amount).toBe(of("factorial").exclusive);
      expect([of("odd").cycle, of("even").cycle, of("factorial").cycle]).toEqual([1, 1, undefined]);
      const own = ["leaf", "often", "even", "odd", "factorial", "quadratic", "main"];
      expect(new Set(rows.map((row) => row.uid))).toEqual(new Set(own));
      const within = own.reduce((sum, uid) => sum + of(uid).exclusive!, 0);
      expect(of("main").amount).toBeGreaterThanOrEqual(within);
      for (const uid of own) expect(of(uid).amount).toBeGreaterThanOrEqual(of(uid).exclusive!);
    });

    test("is deterministic, and a planted quadratic function is modelled quadratic", async () => {
      const costs: [number, number][] = [];
      for (const n of [4, 16, 24, 40]) costs.push([n, (await rowsOf(`${cmd} ${n}`, { func: "quadratic" }))[0]!.amount]);
      expect((await rowsOf(`${cmd} 40`, { func: "quadratic" }))[0]!.amount).toBe(costs[3]![1]);
      const model = lastModel(
        regressionAnalysis.apply(pointsRun({ quadratic: costs }), new Map([["regression-models", "quadratic"]])),
      );
      expect(model).toMatchObject({ model: "quadratic", r_square: expect.closeTo(1, 6) });
    });

    test("records only selected functions, and refuses sampling", async () => {
      expect((await rowsOf(cmd, { func: "often" })).map(({ uid, caller }) => [uid, caller])).toEqual([
        ["often", undefined],
        ["often", "main"],
      ]);
      await expect(rowsOf(cmd, { func: "often#2" })).rejects.toThrow("which callgrind does not record");
      await expect(rowsOf(cmd, { "global-sampling": 2 })).rejects.toThrow("which callgrind does not record");
      await expect(rowsOf(cmd, { usdt: "x" })).rejects.toThrow("with engine callgrind");
    });

    test("reports a command that fails or is missing; leaves no files", async () => {
      await expect(rowsOf("false")).rejects.toThrow("exited with status 1");
      await expect(rowsOf("./nothing")).rejects.toThrow("no such program");
      expect(readdirSync(scratch)).toEqual([]);
    });
  },
);

test("names the tool that is missing", async () => {
  const bare = fakeShell({ work: () => ({}), nm: () => ({}) });
  await expect(trace.collect(jobOf("work", {}), bare)).rejects.toThrow("valgrind was not found");
});
