import { expect, test } from "vitest";
import type { Shell } from "../../plugins/collectors/collector.ts";
import type { Workspace } from "../workspace.ts";
import { localTools } from "./detect-reader.ts";

/** A workspace whose programs print these texts; null: with status 1. */
function workspaceWith(programs: Readonly<Record<string, (input: string) => string | null>>): {
  readonly workspace: Workspace;
  readonly warnings: string[];
  readonly started: (readonly string[])[];
} {
  const warnings: string[] = [];
  const started: (readonly string[])[] = [];
  const shell = {
    which: async (program: string) => (programs[program] === undefined ? null : program),
    run: async (argv: readonly string[], { input }: { readonly input?: Uint8Array }) => {
      started.push(argv);
      const text = programs[argv[0]!]!(new TextDecoder().decode(input));
      return { status: text === null ? 1 : 0, stdout: new TextEncoder().encode(text ?? ""), truncated: false };
    },
  } as unknown as Shell;
  const world = { directory: "/srv", warn: (text: string) => void warnings.push(text) };
  return { workspace: { world, shell: () => shell } as unknown as Workspace, warnings, started };
}

test("perf script prints a file, with a warning; no pipe, and nothing if perf fails or is missing", async () => {
  const { workspace, warnings, started } = workspaceWith({ perf: () => "samples" });
  expect(await localTools(workspace, "-").perfScript("x")).toBeNull();
  expect(started).toEqual([]);
  const printed = await localTools(workspace, "-a.data").perfScript("it is odd");
  expect(new TextDecoder().decode(printed ?? new Uint8Array())).toBe("samples");
  expect(started).toEqual([["perf", "script", "--no-inline", "-i", "/srv/-a.data"]]);
  expect(warnings).toEqual(["-a.data is read by perf script: it is odd"]);
  expect(await localTools(workspaceWith({ perf: () => null }).workspace, "a").perfScript("x")).toBeNull();
  expect(await localTools(workspaceWith({}).workspace, "a").perfScript("x")).toBeNull();
});

test("c++filt gives a name for each name, or none at all", async () => {
  const upper = workspaceWith({ "c++filt": (input) => input.toUpperCase() });
  expect(await localTools(upper.workspace, "a").demangle(["_Za", "_Zb"])).toEqual(
    new Map([
      ["_Za", "_ZA"],
      ["_Zb", "_ZB"],
    ]),
  );
  const short = workspaceWith({ "c++filt": () => "one\n" });
  expect((await localTools(short.workspace, "a").demangle(["_Za", "_Zb"])).size).toBe(0);
  const none = workspaceWith({});
  expect((await localTools(none.workspace, "a").demangle(["_Za", "_Zb"])).size).toBe(0);
  expect(none.warnings).toEqual([
    "2 names of C++ or Rust functions stay mangled: c++filt of binutils is not installed",
  ]);
});
