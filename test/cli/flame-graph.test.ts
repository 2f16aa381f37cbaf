import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Playground } from "./program.ts";

const place = new Playground();
place.write("stacks.folded", "main;a;b 30\nmain;c 10\nmain;a -2\n");

const read = (file: string): string => readFileSync(join(place.folder, file), "utf8");

test("stacks of another program are shown where there is no instance, in the terminal and as a picture", () => {
  const { status, stdout } = place.run(["show", "stacks.folded", "flamegraph"]);
  expect([status, stdout.split("\n")[2]]).toEqual([0, "40 samples"]);
  expect(stdout).toMatch(/^ 75\.0 % +75\.0 % .* b$/m);
  expect(place.run(["show", "stacks.folded", "flamegraph", "--inverted", "--focus", "b", "-o", "b.svg"]).status).toBe(
    0,
  );
  expect(read("b.svg")).toContain("30 samples of 40 samples · callers of b");
  expect(place.run(["show", "stacks.folded", "flamegraph", "--focus", "z"])).toMatchObject({ status: 5 });
});

test("perun writes flame.svg, with rows as high as it is told", () => {
  const perun = join(place.home, "perun");
  symlinkSync(place.program, perun);
  expect(place.start(perun, ["show", "stacks.folded", "flamegraph"])).toMatchObject({ status: 0 });
  expect(read("flame.svg")).toContain(' height="19" ');
  expect(place.start(perun, ["show", "stacks.folded", "flamegraph", "-h", "12", "-f", "low.svg"])).toMatchObject({
    status: 0,
  });
  expect(read("low.svg")).toContain(' height="11" ');
});
