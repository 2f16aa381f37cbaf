import { expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { openRegistry } from "./registry.ts";

test("names and aliases are found whatever their case, with - and _ alike", async () => {
  const registry = openRegistry();
  for (const name of ["average-amount", "Average_Amount", "aat"])
    expect((await registry.get("checker", name)).name).toBe("average-amount");
});

test("a name that is nearly one is told", async () => {
  await expect(openRegistry().get("collector", "tracee")).rejects.toThrow(
    "unknown collector 'tracee', did you mean trace?",
  );
});

test("bounds of Perun is told to be gone, and is no choice; a plug-in of the user may have its name", async () => {
  const registry = openRegistry();
  const failure: unknown = await registry.get("collector", "bounds").catch((error: unknown) => error);
  expect(isFailure(failure, "retired-plugin") && failure.message).toMatch(
    /^there is no collector bounds: it runs Loopus/,
  );
  expect(registry.names("collector")).not.toContain("bounds");
  const plugin = await registry.get("collector", "time");
  const own = openRegistry(
    undefined,
    async () => [{ source: "own.ts", plugin: { ...plugin, name: "bounds" } }] as never,
  );
  expect((await own.get("collector", "bounds")).name).toBe("bounds");
});
