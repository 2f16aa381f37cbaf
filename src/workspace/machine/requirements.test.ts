import { expect, test } from "vitest";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { checkRequirements } from "./requirements.ts";

/** A machine without programs. */
const bare = {
  which: async () => null,
  run: async () => {
    throw new Error("no such program");
  },
} as unknown as Shell;

async function remedyOf(error: Error): Promise<string | null | undefined> {
  const load = async (): Promise<never> => {
    throw error;
  };
  const library = { name: "resvg", purpose: "pictures", load };
  return (await checkRequirements(bare, [library])).find(({ name }) => name === "resvg")?.remedy;
}

test("a library of the system that is missing is named with the way to find its package", async () => {
  const remedy = await remedyOf(new Error("librt.so.1: cannot open shared object file: No such file\nat load"));
  expect(remedy).toMatch(/does not load \(librt\.so\.1: .*\); install the system package that has librt\.so\.1 \(Deb/);
  expect(remedy).not.toContain("at load");
});

test.each(["Cannot find module 'x'", "/opt/x.node: cannot open shared object file", "/opt/x.node: invalid ELF header"])(
  "for any other reason, perfkeep is installed again: %s",
  async (reason) => expect(await remedyOf(new Error(reason))).toMatch(/; reinstall perfkeep$/),
);
