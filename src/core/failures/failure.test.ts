import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue, Failure, isFailure } from "./failure.ts";
import type { FailureKind } from "./kind.ts";

const folder = new URL("failures/", import.meta.url);

describe("the catalogue", () => {
  it("holds each code once: two rooms that use the same one would overwrite each other", async () => {
    const files = readdirSync(folder).filter((name) => name !== "kind.ts");
    const rooms = await Promise.all(
      files.map(async (name) => Object.values((await import(new URL(name, folder).href)) as object)),
    );
    const codes = rooms.flat().flatMap((room) => Object.keys(room as object));
    expect(codes.toSorted()).toEqual([...new Set(codes)].toSorted());
    expect(codes.toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });

  it.each(Object.entries<FailureKind>(catalogue))(
    "%s says something in one line, even when facts are missing",
    (_, kind) => {
      const facts = { commands: ["ls"], candidates: ["a.perf"] };
      for (const text of [kind.message(facts), kind.remedy(facts)]) expect(text).toMatch(/^[^\n]*[^\s.]$/);
    },
  );
});

describe("Failure", () => {
  it("can be said of a place", () => {
    const failure = new Failure("unknown-revision", { revision: "x" }).at("a.out");
    expect(failure.message).toMatch(/^a\.out: unknown revision 'x'/);
    expect(isFailure(failure, "unknown-revision")).toBe(true);
  });
});
