import { expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { openRegistry } from "./registry.ts";

test("finds names and aliases regardless of case, and of - or _", async () => {
  const registry = openRegistry();
  for (const name of ["average-amount", "Average_Amount", "aat"])
    expect((await registry.get("checker", name)).name).toBe("average-amount");
});

test("finds the engine of an address by its scheme", () => {
  const registry = openRegistry();
  const engines = ["postgres://h/d", "postgresql://h/d", "Postgres://h/d", "duckdb://d", "/d/postgres://h", "d.duckdb"];
  expect(engines.map((address) => registry.engineOf(address))).toEqual([
    "postgres",
    "postgres",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("suggests similar names", async () => {
  await expect(openRegistry().get("collector", "tracee")).rejects.toThrow(
    "unknown collector 'tracee', did you mean trace?",
  );
});

test("reports Perun's bounds as retired; a plug-in of the user may have its name", async () => {
  const registry = openRegistry();
  const failure: unknown = await registry.get("collector", "bounds").catch((error: unknown) => error);
  expect(isFailure(failure, "retired-plugin") && failure.message).toMatch(
    /^there is no collector bounds: it requires Loopus/,
  );
  expect(registry.names("collector")).not.toContain("bounds");
  const plugin = await registry.get("collector", "time");
  const own = openRegistry(
    undefined,
    async () => [{ source: "own.ts", plugin: { ...plugin, name: "bounds" } }] as never,
  );
  expect((await own.get("collector", "bounds")).name).toBe("bounds");
});
