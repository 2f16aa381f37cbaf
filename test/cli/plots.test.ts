import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Playground } from "./program.ts";

const rows = ["read 1024 1.5", "read 1024 2.5", "read 4096 4", "a/../b 1024 -3", "a/../b 4096 0", "</svg> 2048 8"];

/** An experiment of bandwidths by operation and size. */
function measured(): Playground {
  const place = new Playground();
  place.write(
    "io.exp",
    "*experiment io\n*parameter op string -\n*parameter size int " +
      "Byte\n*result rate float MiByte/s\n*result count int -\n",
  );
  place.write(
    "io.inp",
    'TABLE op row="op size" pos=1\nTABLE size row="op size" pos=2\nTABLE ' +
      'rate row="op size" pos=3\nTABLE count row="op size" pos=4\n',
  );
  place.write("io.out", `op size rate count\n${rows.map((row, at) => `${row} ${at}\n`).join("")}`);
  place.ok("init");
  place.ok("experiment", "create", "io.exp");
  place.ok("import", "-e", "io", "-d", "io.inp", "io.out");
  return place;
}

test("every medium draws every kind of plot", () => {
  const place = measured();
  for (const words of [
    ["--series", "op"],
    ["-y", "op"],
    ["--plots", "op"],
    ["--style", "bars", "--series", "op"],
  ])
    for (const ending of ["svg", "png", "html", "gp", "csv", "md", "json"]) {
      const file = `x.${ending}`;
      place.ok("plot", "io", "rate", "-x", "size", ...words, "-o", file);
      expect(readFileSync(join(place.folder, file)).length).toBeGreaterThan(60);
    }
});

test("points that a logarithmic axis cannot show are reported", () => {
  const place = measured();
  const { stderr } = place.run(["plot", "io", "rate", "-x", "size", "--series", "op", "--log-y", "-o", "log.svg"]);
  expect(stderr).toContain("2 points are not drawn: at or below 0 on a logarithmic axis");
  expect(place.run(["plot", "io", "rate", "-x", "size", "--series", "op", "-o", "x.svg"]).stderr).toBe("");
});

test("a series of plots goes to files whose names no content leads astray", () => {
  const place = measured();
  place.ok("plot", "io", "rate", "-x", "size", "--plots", "op", "--into", "files", "-o", "io.svg");
  expect(readdirSync(place.folder).filter((name) => name.startsWith("io-"))).toEqual([
    "io-_svg_.svg",
    "io-a_.._b.svg",
    "io-read.svg",
  ]);
  expect(place.run(["plot", "io", "rate", "-x", "size", "--plots", "op", "--into", "files"]).stderr).toContain(
    "add -o FILE",
  );
});

test("a description says what to draw, and the command line may add conditions", () => {
  const place = measured();
  place.write(
    "io.plot",
    "EXPERIMENT io\nTITLE a title\nRESULT rate max style=steps\nX size scale=log2\nAXIS left scale=log\n",
  );
  expect(place.ok("plot", "-p", "io.plot")).toMatch(/^a title\n[^]*1 KiB[^]*/);
  expect(place.ok("plot", "-p", "io.plot", "-w", "op=read", "--title", "other")).toMatch(/^other\n/);
  expect(place.run(["plot", "-p", "io.plot", "--log-x"]).stderr).toContain("--log-x with a plot description");
});

test("a plot is kept with its experiment and drawn again by name", () => {
  const place = measured();
  place.write("io.plot", "TITLE a title\nCOMMENT for the paper\nRESULT rate max\nX size\n");
  place.ok("attach", "put", "io", "io.plot", "--name", "largest");
  expect(place.ok("attach", "list", "io")).toMatch(/^largest +plot .*for the paper$/m);
  expect(place.ok("plot", "io", "-n", "largest")).toMatch(/^a title\n/);
  expect(place.run(["plot", "io", "-n", "larges"]).stderr).toContain("did you mean largest?");
  expect(place.run(["plot", "io", "-n", "largest", "-p", "io.plot"]).status).toBe(2);
  expect(place.ok("convert", "io.plot")).toContain("RESULT rate stat=max");
});

test("what has no picture is refused or told, and leaves no file", () => {
  const place = measured();
  const refused = (...words: string[]): string => {
    const { status, stderr } = place.run(["plot", "io", ...words, "-o", "none.svg"]);
    expect([status === 0, existsSync(join(place.folder, "none.svg"))]).toEqual([false, false]);
    return stderr;
  };
  expect(refused("rate", "-x", "size", "--log-y", "-w", "op=a/../b")).toContain("has no positive value");
  expect(refused("op", "-x", "size")).toContain("there is no mean of 'op'");
  expect(refused("rate", "-x", "op", "--x-scale", "log2")).toContain("'op' has no logarithm here");
  expect(refused("rate", "-x", "size", "--x-range", "8KiByte:1KiByte")).toContain("has no room");
  expect(refused("rate", "-x", "size", "-y", "op", "--stat", "none")).toContain("a surface has one height");
  expect(refused("rate", "-x", "size", "-w", "size>1GiByte")).toContain("no row of");
  expect(refused("-x", "size")).toContain("there is no result to draw");
  expect(place.ok("plot", "io", "rate", "-x", "size", "--log-y", "--series", "op")).toContain(
    "2 points have no logarithm",
  );
  expect(place.ok("plot", "io", "rate", "-x", "size", "-w", "op=</svg>")).toContain("8");
});
