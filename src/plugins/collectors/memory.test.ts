import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { allocationLog } from "../../../test/fakes/allocation-log.ts";
import { fakeShell, type FakeShell } from "../../../test/fakes/shell.ts";
import { memory } from "./memory.ts";

/** A fake program that allocates twice, and an addr2line that knows the locations. */
function tracingShell(): FakeShell {
  const log = allocationLog([
    { call: "malloc", amount: 8, address: 64 },
    { call: "free", amount: 0, address: 64 },
  ]);
  return fakeShell({
    work: (_, { environment, preload }) => {
      expect(preload).toBe("/cache/allocations.c.so");
      writeFileSync(join(environment!["PERFKEEP_ALLOCATIONS"]!, "7-0"), log);
      return {};
    },
    addr2line: (_, { input }) => {
      const addresses = new TextDecoder().decode(input).trimEnd().split("\n");
      return {
        stdout: new TextEncoder().encode(
          addresses.map((address) => `${address}\nmain\n/project/work.c:3 (discriminator 2)\n`).join(""),
        ),
      };
    },
  });
}

collectorContract(memory, { cmd: "work", failing: "exit 3", shell: tracingShell });

test.each([
  ["sampling", 0],
  ["limit", 0],
  ["limit", 1.5],
  ["timeout", -1],
])("refuses %s %d", async (name, value) => {
  const job = {
    cmd: "work",
    workload: "",
    directory: "/project",
    params: new Map([[name, value]]),
    machine: new Map(),
  };
  await expect(memory.collect(job, tracingShell())).rejects.toThrow(`option ${name} of memory`);
});

test.each([
  ["preload", "addr2line"],
  ["massif", "valgrind"],
  ["dhat", "valgrind"],
  ["heaptrack", "heaptrack"],
])("names the tools of the engine %s that are missing", async (engine, tool) => {
  await expect(memory.prepare(fakeShell(), new Map([["engine", engine]]))).rejects.toThrow(`${tool} was not found`);
});

test("an option of another engine is refused", async () => {
  const params = new Map<string, string | number>([
    ["engine", "massif"],
    ["sampling", 0.5],
  ]);
  const job = { cmd: "work", workload: "", directory: "/project", params, machine: new Map() };
  await expect(memory.collect(job, fakeShell())).rejects.toThrow(
    expect.objectContaining({ code: "unusable-combination" }),
  );
});
