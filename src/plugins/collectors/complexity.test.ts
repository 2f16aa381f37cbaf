import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { have, scratchShell } from "../../../test/programs/scratch-shell.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { callLog } from "../../../test/fakes/call-log.ts";
import { fakeShell, type FakeShell } from "../../../test/fakes/shell.ts";
import { regressionAnalysis } from "../postprocessors/regression-analysis.ts";
import { complexity } from "./complexity.ts";

/** A fake program whose function reports sizes, and an nm that knows it. */
function reportingShell(): FakeShell {
  const log = callLog({
    functions: [{ path: "/project/work", offset: 0x1139 }],
    threads: [
      [
        { enter: 0, at: 1000 },
        { size: 5 },
        { leave: "returned", at: 2500 },
        { enter: 0, at: 3000 },
        { leave: "left", at: 4000 },
      ],
    ],
  });
  return fakeShell({
    work: (_, { environment }) => {
      writeFileSync(join(environment!["PERFKEEP_CALLS"]!, "7-0"), log);
      return {};
    },
    nm: () => ({ stdout: new TextEncoder().encode("0000000000001139 T main\n") }),
  });
}

collectorContract(complexity, { cmd: "work", failing: "exit 3", shell: reportingShell });

test.each([
  [{ "internal-storage-size": 7 }, "option internal-storage-size of complexity is unsupported"],
  [{ "internal-data-filename": "x" }, "option internal-data-filename of complexity is unsupported"],
  [{ sampling: "main" }, "option sampling of complexity"],
  [{ rules: "main#0" }, "option rules of complexity"],
  [{ "target-dir": "x" }, "without files to compile"],
  [{ files: "list.h" }, "contains only headers"],
  [{ files: "list.cpp" }, "g++ was not found"],
])("refuses %j", async (params: Readonly<Record<string, Value>>, message) => {
  const job = {
    cmd: "work",
    workload: "",
    directory: "/project",
    params: new Map(Object.entries(params)),
    machine: new Map(),
  };
  await expect(complexity.collect(job, reportingShell())).rejects.toThrow(message);
});

const { folder, scratch, shell } = scratchShell();

type Params = Readonly<Record<string, Value>>;

async function runOf(cmd: string, params: Params): Promise<Run> {
  return complexity.collect(
    { cmd, workload: "", directory: folder, params: new Map(Object.entries(params)), machine: new Map() },
    shell,
  );
}

/** The cells of each function: size, or undefined, and microseconds. */
function cellsOf(run: Run): Record<string, (readonly [number | undefined, number])[]> {
  const { resources, resource_type_map } = JSON.parse(new TextDecoder().decode(encodeProfile(run))) as {
    resources: Record<string, Record<string, number[]>>;
    resource_type_map: Record<string, Record<string, string>>;
  };
  const cells: Record<string, (readonly [number | undefined, number])[]> = {};
  for (const [id, columns] of Object.entries(resources)) {
    const { uid, subtype, type } = resource_type_map[id]!;
    expect([subtype, type]).toEqual(["time delta", "mixed"]);
    const own = columns["amount"]!.map((amount, at) => [columns["structure-unit-size"]?.[at], amount] as const);
    cells[uid!] = [...(cells[uid!] ?? []), ...own];
  }
  return cells;
}

/** A list sorted in quadratic and searched in linear time, with a clock that counts its steps. */
const source = `#define _GNU_SOURCE
#include <time.h>
#include <vector>
#include "list.h"
static long steps;
extern "C" __attribute__((no_instrument_function)) int clock_gettime(clockid_t, struct timespec *now) noexcept {
  now->tv_sec = 1000 + steps / 1000000;
  now->tv_nsec = steps % 1000000 * 1000;
  return 0;
}
__attribute__((no_instrument_function)) static void step() { steps++; }
void List::sort() {
  PERFKEEP_SIZE(count());
  for (unsigned i = 1; i < items.size(); i++)
    for (unsigned k = i; k > 0; k--) {
      step();
      if (items[k] < items[k - 1]) { int one = items[k]; items[k] = items[k - 1]; items[k - 1] = one; }
    }
}
bool List::search(int wanted) {
  PERFKEEP_SIZE(items.size());
  for (int item : items) { step(); if (item == wanted) return true; }
  return false;
}
static void fill(List &list, int count) { for (int i = 0; i < count; i++) list.items.push_back(i * 7919 % 1000); }
int main(int argc, char **argv) {
  int most = argc > 1 ? 400 : 40;
  for (int count = most / 40; count <= most; count += most / 40) {
    List list;
    fill(list, count);
    list.sort();
    list.search(-1);
  }
}
`;

const header = `#include <vector>
#include "perfkeep.h"
struct List {
  std::vector<int> items;
  unsigned count() const { return items.size(); }
  void sort();
  bool search(int wanted);
};
`;

const tools = have("g++") && have("nm") && process.platform === "linux";

describe.runIf(tools)("sources in C++ (needs g++ and nm)", () => {
  const files = "list.cpp\nlist.h";
  let run: Run;
  beforeAll(async () => {
    writeFileSync(join(folder, "list.cpp"), source);
    writeFileSync(join(folder, "list.h"), header);
    const flags = "-rdynamic -O1";
    run = await runOf("list", {
      files,
      flags,
      rules: "List::sort\nsearch\ncount",
      sampling: "count 4",
      "target-dir": "made/here",
    });
  });

  test("functions report their time and the size of the structure", () => {
    const cells = cellsOf(run);
    const sizes = Array.from({ length: 40 }, (_, at) => at + 1);
    expect(cells["List::sort()"]).toEqual(sizes.map((size) => [size, (size * (size - 1)) / 2]));
    expect(cells["List::search(int)"]).toEqual(sizes.map((size) => [size, size]));
    expect(cells["List::count() const"]).toEqual(Array.from({ length: 10 }, () => [undefined, 0]));
    expect(Object.keys(cells)).toHaveLength(3);
  });

  test("a planted quadratic function is modelled quadratic, and a linear one linear", () => {
    const params = new Map<string, Value>([["regression-models", "all"]]);
    const models = JSON.parse(new TextDecoder().decode(encodeProfile(regressionAnalysis.apply(run, params)))) as {
      models: { uid: string; model: string; r_square: number }[];
    };
    const best = (uid: string): (typeof models.models)[number] =>
      models.models.filter((model) => model.uid === uid).toSorted((a, b) => b.r_square - a.r_square)[0]!;
    expect(best("List::sort()")).toMatchObject({ model: "quadratic", r_square: expect.closeTo(1, 6) });
    expect(best("List::search(int)").r_square).toBeGreaterThan(0.95);
    const linear = models.models.find(({ uid, model }) => uid === "List::search(int)" && model === "linear");
    expect(linear?.r_square).toBeCloseTo(1, 6);
  });

  test("keeps the program in target-dir, where it can be measured again, and nothing else", async () => {
    expect(statSync(join(folder, "made/here/list")).isFile()).toBe(true);
    const again = cellsOf(await runOf("made/here/list", { rules: "sort" }));
    expect(again["List::sort()"]?.at(-1)).toEqual([40, 780]);
    const longer = cellsOf(await runOf("made/here/list long", { rules: "sort" }));
    expect(longer["List::sort()"]?.at(-1)).toEqual([400, 79_800]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test("records the measurement like Perun", () => {
    const document: unknown = JSON.parse(new TextDecoder().decode(encodeProfile(run)));
    expect(document).toMatchObject({
      header: { type: "mixed", cmd: "list", workload: "", units: { "mixed(time delta)": "us" } },
      collector_info: {
        name: "complexity",
        params: { files: ["list.cpp", "list.h"], sampling: [{ func: "count", sample: 4 }] },
      },
      execution: { status: [0] },
    });
  });

  test("waiting is not CPU time", async () => {
    writeFileSync(
      join(folder, "wait.c"),
      "#include <unistd.h>\nstatic void rest(void) { usleep(30000); }\nint main(void) { rest(); return 0; }\n",
    );
    const amountBy = async (clock: string): Promise<number> =>
      cellsOf(await runOf("wait", { files: "wait.c", clock }))["rest"]![0]![1];
    expect(await amountBy("wall")).toBeGreaterThanOrEqual(30_000);
    expect(await amountBy("cpu")).toBeLessThan(30_000);
  });

  test("reports compile errors and unknown functions", async () => {
    mkdirSync(join(folder, "broken"), { recursive: true });
    writeFileSync(join(folder, "broken/-x.c"), "int main(void) { return nothing; }\n");
    await expect(runOf("x", { files: "broken/-x.c" })).rejects.toThrow(
      /^gcc cannot build -x\.c: .*error: .nothing. undeclared/,
    );
    await expect(runOf("list", { files, rules: "serch" })).rejects.toThrow("there is no function 'serch'");
  });
});
