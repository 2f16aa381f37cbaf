import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { Playground } from "./program.ts";

const description = [
  "*experiment io",
  "Writing & reading",
  "",
  "*parameter host string - NULL once longest=256",
  "the machine",
  "",
  "*result B_io float MByte/s - better=higher",
  "",
].join("\n");

let place: Playground;

beforeEach(() => {
  place = new Playground();
  place.commit("one");
  place.ok("init");
  place.write("io.exp", description);
});

const read = (name: string): string => readFileSync(join(place.folder, name), "utf8");

test("an experiment is made from either spelling and shown in both", () => {
  place.ok("convert", "io.exp", "-o", "io.xml");
  place.ok("experiment", "create", "io.xml");
  expect(place.ok("experiment", "show", "io")).toBe(description);
  expect(place.ok("experiment", "show", "io", "--format", "xml")).toBe(read("io.xml"));
  expect(place.ok("experiment", "info", "-d", "io")).toBe(description);
});

test("convert writes the other spelling, or the one that is asked for", () => {
  const xml = place.ok("convert", "io.exp");
  place.write("io.xml", xml);
  expect(place.ok("convert", "io.xml")).toBe(description);
  expect(place.ok("convert", "--to", "xml", "io.xml")).toBe(xml);
  expect(place.ok("convert", "--to", "exp", "io.exp")).toBe(description);
  expect(place.ok("convert", "--format", "text", "io.exp")).toBe(description);
});

test("convert knows updates and inputs", () => {
  const update = "*update io\n\n*drop host\n";
  place.write("io.upd", update);
  const xml = place.ok("convert", "io.upd");
  expect(xml).toContain("<experiment_update>");
  place.write("upd.xml", xml);
  expect(place.ok("convert", "upd.xml")).toBe(update);
  place.write("io.inp", "NAMED host\n");
  place.write("inp.xml", place.ok("convert", "io.inp"));
  expect(place.ok("convert", "inp.xml")).toContain("NAMED host");
});

test("what is no description is refused at its place", () => {
  place.write("a.xml", "<experimnt/>");
  expect(place.run(["convert", "a.xml"])).toMatchObject({
    status: 4,
    stderr: expect.stringContaining("a.xml:1:1: <experimnt> is not a description"),
  });
  place.write(
    "b.xml",
    '<?xml version="1.0"?>\n<experiment><name>x</name><database><passwd>s</passwd></database></experiment>',
  );
  const ended = place.run(["experiment", "create", "b.xml"]);
  expect(ended).toMatchObject({ status: 4, stderr: expect.stringContaining("b.xml:2:") });
  expect(ended.stderr).toContain("~/.pgpass");
});
