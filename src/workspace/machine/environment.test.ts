import { expect, test } from "vitest";
import { fakeShell } from "../../../test/fakes/shell.ts";
import { isObject, type Json, textAt } from "../../core/values/json.ts";
import { binarySize, describeEnvironment, withTreeState } from "./environment.ts";

const tool = (line: string) => () => ({ stdout: new TextEncoder().encode(`${line}\nmore\n`) });

function keysOf(json: Json | undefined): string[] {
  return isObject(json) ? [...json.keys()] : [];
}

const fingerprint = async (cc: string) =>
  textAt(await describeEnvironment(fakeShell({ cc: tool(cc) }), "/"), "fingerprint");

test("describes the machine by Perun's keys and ours only", async () => {
  const described = await describeEnvironment(fakeShell({ cc: tool("cc 12.2"), node: tool("v20") }), "/");
  const perun = ["architecture", "system", "release", "host", "cpu", "memory"];
  expect(keysOf(described)).toEqual([...perun, "kernel", "versions", "fingerprint"]);
  expect(keysOf(described.get("cpu"))).toEqual(["physical", "total", "frequency", "model", "governor"]);
  expect(textAt(described.get("memory"), "total_ram")).toMatch(/^\d+\.\d [KMGT]iB$/);
  expect(described.get("versions")).toEqual(
    new Map([
      ["cc", "cc 12.2"],
      ["node", "v20"],
    ]),
  );
});

test("the fingerprint depends on facts that affect speed", async () => {
  expect(await fingerprint("cc 12")).toMatch(/^[0-9a-f]{16}$/);
  expect(await fingerprint("cc 12")).toBe(await fingerprint("cc 12"));
  expect(await fingerprint("cc 12")).not.toBe(await fingerprint("cc 13"));
});

test("omits tools that are missing or fail", async () => {
  const described = await describeEnvironment(fakeShell({ cc: () => ({ status: 1 }) }), "/");
  expect(described.get("versions")).toEqual(new Map());
});

test("adds the state of the tree", () => {
  expect([...withTreeState(new Map(), null)]).toEqual([["dirty", false]]);
  expect([...withTreeState(new Map(), "ab")]).toEqual([
    ["dirty", true],
    ["diff", "ab"],
  ]);
});

test.each([
  [0, "0.0 B"],
  [1023, "1023.0 B"],
  [1024, "1.0 KiB"],
  [25233000000, "23.5 GiB"],
  [2 ** 52, "4096.0 TiB"],
])("%d bytes are %s", (bytes, text) => {
  expect(binarySize(bytes)).toBe(text);
});
