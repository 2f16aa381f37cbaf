import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "./catalogue.ts";
import { Failure, isFailure } from "./failure.ts";
import type { FailureKind } from "./kind.ts";

const folder = new URL(".", import.meta.url);
const others = ["catalogue.ts", "failure.ts", "failure.test.ts", "index.ts", "kind.ts"];

describe("the catalogue", () => {
  it("holds each code once", async () => {
    const files = readdirSync(folder).filter((name) => !others.includes(name));
    const modules = await Promise.all(
      files.map(async (name) => Object.values((await import(new URL(name, folder).href)) as object)),
    );
    const codes = modules.flat().flatMap((failures) => Object.keys(failures as object));
    expect(codes.toSorted()).toEqual([...new Set(codes)].toSorted());
    expect(codes.toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });

  it.each(Object.entries<FailureKind>(catalogue))(
    "%s has a message and a remedy of one line, even without data",
    (_, kind) => {
      const data = { commands: ["ls"], candidates: ["a.perf"] };
      for (const text of [kind.message(data), kind.remedy(data)]) expect(text).toMatch(/^[^\n]*[^\s.]$/);
    },
  );
});

describe("Failure", () => {
  it("starts with the input file", () => {
    const failure = new Failure("unknown-revision", { revision: "x" }).at("a.out");
    expect(failure.message).toMatch(/^a\.out: unknown revision 'x'/);
    expect(isFailure(failure, "unknown-revision")).toBe(true);
  });
});
