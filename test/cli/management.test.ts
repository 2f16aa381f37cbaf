import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Playground } from "./program.ts";

describe("experiments as their users manage them", () => {
  const place = new Playground();
  const write = (name: string, text: string): string => {
    writeFileSync(join(place.folder, name), text);
    return name;
  };
  const asked = (): string => place.ok("query", "ping", "--format", "csv");

  beforeAll(() => {
    place.commit("first");
    place.ok("init");
    place.ok(
      "experiment",
      "create",
      write("ping.exp", "*experiment ping\n*parameter size int Byte\n*result time float us\n"),
    );
    write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n");
    place.ok("import", "-e", "ping", "-d", "ping.inp", write("a.txt", "8 1.5\n"), write("b.txt", "16 2.5\n"));
  });

  test("a description takes the experiment to what it says", () => {
    write(
      "new.exp",
      "*experiment ping\n*parameter size int Byte\n*parameter mode string - eager\n*result time float us\n",
    );
    expect(place.ok("experiment", "update", "--dry-run", "new.exp")).toBe("would update ping: +mode\n");
    expect(place.ok("experiment", "update", "new.exp")).toBe("updated ping: +mode\n");
    expect(asked()).toContain("8,1.5,eager");
    expect(place.ok("experiment", "update", "new.exp")).toBe("updated ping: nothing changed\n");
  });

  test("what an update renames, alters, drops and says of the experiment is told apart", () => {
    write("a.upd", "*update ping\nround trips\n*rename mode how\n*alter size\nof a message\n*add result loss float\n");
    expect(place.ok("experiment", "update", "--dry-run", "a.upd")).toBe(
      "would update ping: +loss, mode is now how, size altered, metadata\n",
    );
    const changes = {
      added: ["loss"],
      dropped: [],
      renamed: [{ from: "mode", to: "how" }],
      altered: ["size"],
      metadataChanged: true,
    };
    expect(place.json("experiment", "update", "a.upd")).toMatchObject({
      ...changes,
      variables: ["size", "time", "how", "loss"],
    });
    write("b.upd", "*update ping\n*drop loss\n*rename how mode\n");
    expect(place.ok("experiment", "update", "b.upd")).toBe("updated ping: -loss, how is now mode\n");
  });

  test("runs are deleted by the bytes of a file, and come back", () => {
    write("copy.txt", "8 1.5\n");
    expect(place.ok("experiment", "delete", "ping", "--file", "copy.txt", "--force")).toBe("deleted run 1 of ping\n");
    expect(asked()).not.toContain("1.5");
    expect(place.ok("experiment", "undelete", "ping", "--run", "1")).toBe("restored run 1 of ping\n");
    expect(asked()).toContain("1.5");
    const ended = place.run(["experiment", "delete", "ping", "--file", "new.exp", "--force"]);
    expect([ended.status, ended.stderr]).toEqual([
      5,
      expect.stringContaining("no run of 'ping' was imported from new.exp"),
    ]);
  });

  test("only one thing is deleted at a time, and nothing without a question", () => {
    expect(place.run(["experiment", "delete", "ping", "--run", "1", "--purge", "--force"]).status).toBe(2);
    expect(place.run(["experiment", "delete", "ping"]).status).toBe(2);
    for (const words of [
      ["--run", "99"],
      ["--file", "none.txt"],
      ["--pset", "none"],
    ]) {
      const ended = place.run(["experiment", "delete", "ping", ...words]);
      expect([ended.status, ended.stderr]).toEqual([5, expect.not.stringContaining("Delete")]);
    }
    expect(place.run(["experiment", "delete", "pong"]).status).toBe(5);
    expect(asked()).toContain("1.5");
  });

  test("a description is attached, listed, printed and detached", () => {
    expect(place.ok("attach", "put", "ping", "ping.inp", "--name", "rows")).toBe("attached rows (input)\n");
    expect(place.run(["attach", "put", "ping", "ping.inp"]).stderr).toContain("it has no name of its own");
    write("other.inp", "TABLE size pos=1\nTABLE tmie pos=2\n");
    const unknown = place.run(["attach", "put", "ping", "other.inp", "--name", "other"]);
    expect([unknown.status, unknown.stderr]).toEqual([
      4,
      expect.stringMatching(/other[.]inp:2:1: .*'tmie'.*did you mean time/),
    ]);
    expect(place.ok("attach", "list", "ping")).toContain("rows");
    expect(place.ok("attach", "get", "ping", "rows")).toBe("TABLE size pos=1\nTABLE time pos=2\n");
    expect(place.ok("attach", "delete", "ping", "rows")).toBe("detached rows\n");
    expect(place.run(["attach", "get", "ping", "rows"]).status).toBe(5);
  });

  test("names that no pull accepts are refused at the door", () => {
    write("deleted.exp", "*experiment deleted\n*parameter a int\n*result b float\n");
    write("go.txt", "BenchmarkSort-8 \t 1000\t 12.5 ns/op\nPASS\n");
    place.ok("experiment", "create", "deleted.exp");
    place.ok("experiment", "delete", "deleted", "--force");
    place.ok("experiment", "dump", "ping", "-o", "ping.tar.gz");
    const before = place.ok("experiment", "list");
    const refused = [
      ["experiment", "create", "deleted.exp", "-e", "a b"],
      ["experiment", "create", "deleted.exp", "-e", "x".repeat(129)],
      ["import", "-e", "../a", "go.txt"],
      ["experiment", "restore", "ping.tar.gz", "--as", "1a"],
      ["experiment", "undelete", "deleted", "--name", "a?b"],
      ["attach", "put", "ping", "ping.inp", "--name", "a\nb"],
      ["attach", "put", "ping", "ping.inp", "--name", "x".repeat(257)],
      ["import", "-e", "ping", "-d", "ping.inp", "--pset-store", "a\u0001b", "a.txt"],
    ];
    for (const words of refused) {
      const { status, stderr } = place.run(words);
      expect([words.join(" "), status, stderr]).toEqual([words.join(" "), 2, expect.stringContaining("[bad-name]")]);
    }
    expect(place.ok("experiment", "list")).toBe(before);
    place.ok("attach", "put", "ping", "ping.inp", "--name", "x".repeat(256));
    place.ok("attach", "delete", "ping", "x".repeat(256));
  });

  test("a lost database is rebuilt, and what does not fit is found", () => {
    const before = asked();
    rmSync(join(place.folder, ".perun", "experiments.duckdb"));
    expect(place.ok("rebuild", "experiments")).toMatch(/^rebuilt .*experiments\.duckdb from \d+ changes\n$/);
    expect(asked()).toBe(before);
    expect(place.ok("experiment", "check")).toBe("no problems\n");
    rmSync(join(place.folder, ".perun", "objects"), { recursive: true });
    const ended = place.run(["experiment", "check"]);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain("object-missing: ping: ");
    const refused = place.run(["rebuild", "experiments"]);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("nothing was replaced")]);
    expect(asked()).toBe(before);
    expect(existsSync(join(place.folder, ".perun", "experiments.duckdb.rebuilt"))).toBe(false);
  });
});
