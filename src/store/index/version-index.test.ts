import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, describe, it } from "vitest";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { decodeIndex, encodeIndex, type IndexEntry } from "../../formats/store/version-index.ts";
import { createStore, openStore, type Store } from "../store.ts";
import type { Change } from "../../core/verdicts/change.ts";
import { storedChange } from "../../formats/store/changes.ts";
import { StoredChanges } from "./stored-changes.ts";
import { StoreLock } from "../durable/lock.ts";

describe("version indexes", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "indexes-"));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const version = "ab".repeat(20) as VersionId;

  /** A store created by perfkeep or by Perun. */
  function storeOf(maker: "perfkeep" | "perun"): Store {
    const path = join(folder, ".perun");
    if (maker === "perun") mkdirSync(join(path, "objects"), { recursive: true });
    createStore(path);
    return openStore(path, { command: "test" });
  }

  function pathOf(store: Store, id: string = version): string {
    return join(store.objects.folder, id.slice(0, 2), id.slice(2));
  }

  function entry(name: string, facts: Partial<IndexEntry> = {}): IndexEntry {
    const digest = "12".repeat(20) as Digest;
    return {
      name,
      time: 1_600_000_000,
      digest,
      type: "time",
      cmd: "ls",
      workload: "-l",
      collector: "time",
      postprocessors: [],
      ...facts,
    };
  }

  const other = "34".repeat(20) as Digest;

  function plant(store: Store, entries: readonly IndexEntry[], trailer: boolean): Uint8Array {
    const bytes = encodeIndex(entries, { trailer });
    mkdirSync(dirname(pathOf(store)), { recursive: true });
    writeFileSync(pathOf(store), bytes);
    return bytes;
  }

  /** Mimics Perun's insert: changes the entries and their count, keeps the bytes after the entries. */
  function insertAsPerun(store: Store, entries: readonly IndexEntry[], trailer: boolean): void {
    const former = readFileSync(pathOf(store));
    const rest = trailer ? former.subarray(former.length - 20) : new Uint8Array();
    writeFileSync(pathOf(store), Uint8Array.from([...encodeIndex(entries, { trailer: false }), ...rest]));
  }

  test("a version without index has no entries, and reading creates nothing", () => {
    const store = openStore(join(folder, "none"), { command: "test" });
    expect(store.versions.entries(version)).toEqual([]);
    expect(store.changes.read(version)).toEqual([]);
    expect(store.pending.list()).toEqual([]);
    expect([...store.namesInShard(version).indexes, ...store.namesInShard(version).changes]).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("entries are in index order, and the previous generation is kept in .prev", () => {
    const store = storeOf("perfkeep");
    expect(store.versions.add(version, [entry("b.perf"), entry("a.perf")])).toEqual(["added", "added"]);
    const former = readFileSync(pathOf(store));
    expect(store.versions.add(version, [entry("c.perf")])).toEqual(["added"]);
    expect(store.versions.entries(version)).toEqual([entry("a.perf"), entry("b.perf"), entry("c.perf")]);
    expect(readFileSync(`${pathOf(store)}.prev`)).toEqual(former);
    expect(readdirSync(dirname(pathOf(store))).sort()).toEqual([version.slice(2), `${version.slice(2)}.prev`]);
    expect(decodeIndex(readFileSync(pathOf(store))).trailer).toBe("valid");
  });

  test("a profile already present changes nothing; the same name with another object is added", () => {
    const store = storeOf("perfkeep");
    store.versions.add(version, [entry("a.perf")]);
    const before = readFileSync(pathOf(store));
    expect(store.versions.add(version, [entry("a.perf", { time: 5 })])).toEqual(["present"]);
    expect(readFileSync(pathOf(store))).toEqual(before);
    expect(store.versions.add(version, [entry("a.perf", { digest: other })])).toEqual(["added"]);
    expect(store.versions.entries(version).map(({ digest }) => digest)).toContain(other);
  });

  test("a profile given twice in one call is added once", () => {
    const store = storeOf("perfkeep");
    expect(store.versions.add(version, [entry("a.perf"), entry("a.perf")])).toEqual(["added", "present"]);
  });

  test("an invalid profile name is refused before anything is written", () => {
    const store = storeOf("perfkeep");
    expect(() => store.versions.add(version, [entry("a.perf"), entry("a\u0000b.perf")])).toThrow(
      "is not a valid profile name",
    );
    expect(existsSync(pathOf(store))).toBe(false);
  });

  test("remove deletes matching entries, down to an empty index; no match is an error and changes nothing", () => {
    const store = storeOf("perfkeep");
    expect(() => store.versions.remove(version, () => true, "a.perf")).toThrow(
      `a.perf is not registered at ${version}`,
    );
    expect(existsSync(pathOf(store))).toBe(false);
    store.versions.add(version, [entry("a.perf"), entry("b.perf")]);
    const before = readFileSync(pathOf(store));
    expect(() => store.versions.remove(version, ({ name }) => name === "x.perf")).toThrow("is not registered");
    expect(readFileSync(pathOf(store))).toEqual(before);
    expect(store.versions.remove(version, ({ name }) => name === "a.perf")).toEqual([entry("a.perf")]);
    store.versions.remove(version, ({ name }) => name === "b.perf");
    expect(store.versions.entries(version)).toEqual([]);
  });

  test("a version of a SHA-256 repository has an index", () => {
    const store = storeOf("perfkeep");
    const long = "cd".repeat(32) as VersionId;
    store.versions.add(long, [entry("a.perf")]);
    expect(store.versions.entries(long)).toEqual([entry("a.perf")]);
    expect(store.namesInShard(long).indexes.has(long)).toBe(true);
  });

  test("companion files of an index are not listed as indexes", () => {
    const store = storeOf("perun");
    store.versions.add(version, [entry("a.perf")]);
    store.versions.add(version, [entry("b.perf")]);
    writeFileSync(`${pathOf(store)}.changes`, "");
    expect([...store.namesInShard(version).indexes]).toEqual([version]);
    expect([...store.namesInShard(version).changes]).toEqual([version]);
  });

  test("a damaged index is reported with its version, blocks no other and is never overwritten", () => {
    const store = storeOf("perfkeep");
    store.versions.add(version, [entry("a.perf")]);
    const damaged = readFileSync(pathOf(store));
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    writeFileSync(pathOf(store), damaged);
    expect(() => store.versions.entries(version)).toThrow(`the index of commit ${version} is damaged`);
    expect(() => store.versions.add(version, [entry("b.perf")])).toThrow("is damaged");
    expect(readFileSync(pathOf(store))).toEqual(damaged);
    const next = "ef".repeat(20) as VersionId;
    store.versions.add(next, [entry("a.perf")]);
    expect(store.versions.entries(next)).toHaveLength(1);
  });

  test("an index of perfkeep that Perun changed is read, and the next write updates its checksum", () => {
    const store = storeOf("perfkeep");
    store.versions.add(version, [entry("m.perf"), entry("z.perf")]);
    insertAsPerun(store, [entry("a.perf"), entry("m.perf"), entry("z.perf")], true);
    const writtenByPerun = readFileSync(pathOf(store));
    expect(store.versions.file(version)).toMatchObject({ trailer: "stale", checksum: "stale" });
    expect(readFileSync(pathOf(store))).toEqual(writtenByPerun);
    store.versions.add(version, [entry("b.perf")]);
    expect(store.versions.file(version)).toMatchObject({ trailer: "valid", checksum: "valid" });
    expect(store.versions.entries(version).map(({ name }) => name)).toEqual(["a.perf", "b.perf", "m.perf", "z.perf"]);
  });

  test("an index in a store of Perun has no trailer; its checksum is a separate file", () => {
    const store = storeOf("perun");
    plant(store, [entry("m.perf")], false);
    expect(store.versions.file(version)?.checksum).toBe("absent");
    store.versions.add(version, [entry("a.perf")]);
    expect(store.versions.file(version)).toMatchObject({ trailer: "absent", checksum: "valid" });
    expect(existsSync(`${pathOf(store)}.sum`)).toBe(true);
    insertAsPerun(store, [entry("a.perf"), entry("m.perf"), entry("z.perf")], false);
    expect(store.versions.file(version)?.checksum).toBe("stale");
    insertAsPerun(store, [entry("m.perf")], false);
    expect(store.versions.file(version)?.checksum).toBe("stale");
    insertAsPerun(store, [entry("a.perf", { cmd: "rm" }), entry("m.perf")], false);
    expect(() => store.versions.entries(version)).toThrow("do not match the checksum next to it");
  });

  test("an index with a trailer keeps it in stores of Perun, too", () => {
    const store = storeOf("perun");
    plant(store, [entry("m.perf")], true);
    store.versions.add(version, [entry("a.perf")]);
    expect(store.versions.file(version)?.trailer).toBe("valid");
  });

  test("entries of format version 1 are completed from their objects; only writing upgrades the file", () => {
    const store = storeOf("perun");
    const text =
      '{"header": {"type": "memory", "cmd": "ls", "workload": "-a"}, ' +
      '"collector_info": {"name": "memory"}, "postprocessors": [{"name": "clusterizer"}]}';
    const { digest } = store.objects.put("profile", "memory", new TextEncoder().encode(text));
    const bytes = indexOfVersion1("old.perf", digest);
    mkdirSync(dirname(pathOf(store)), { recursive: true });
    writeFileSync(pathOf(store), bytes);
    const old = entry("old.perf", {
      time: 7,
      digest,
      type: "memory",
      workload: "-a",
      collector: "memory",
      postprocessors: ["clusterizer"],
    });
    expect(store.versions.entries(version)).toEqual([old]);
    expect(new Uint8Array(readFileSync(pathOf(store)))).toEqual(bytes);
    store.versions.add(version, [entry("new.perf")]);
    expect(store.versions.file(version)).toMatchObject({ formatVersion: 2, entries: [entry("new.perf"), old] });
  });

  function indexOfVersion1(name: string, digest: Digest): Uint8Array {
    const id = Array.from({ length: 20 }, (_, i) => Number.parseInt(digest.slice(2 * i, 2 * i + 2), 16));
    return Uint8Array.from([
      ...new TextEncoder().encode("pidx"),
      1,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      7,
      0,
      0,
      0,
      ...id,
      ...new TextEncoder().encode(name),
      0,
    ]);
  }

  test("a symbolic link instead of an index is not followed", () => {
    const store = storeOf("perfkeep");
    mkdirSync(dirname(pathOf(store)), { recursive: true });
    writeFileSync(join(folder, "elsewhere"), encodeIndex([entry("a.perf")], { trailer: true }));
    symlinkSync(join(folder, "elsewhere"), pathOf(store));
    expect(() => store.versions.entries(version)).toThrow("symbolic link");
    expect(() => store.versions.add(version, [entry("b.perf")])).toThrow("symbolic link");
  });
});

describe("the changes of a version", () => {
  const version = "ab".repeat(20) as VersionId;
  const baseline = "cd".repeat(20) as VersionId;
  const scratch: string[] = [];

  afterEach(() => {
    for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true });
  });

  function open(): { changes: StoredChanges; file: string; lock: string } {
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-changes-"));
    scratch.push(folder);
    const [lock, objects] = [join(folder, "lock"), join(folder, "objects")];
    mkdirSync(objects);
    return {
      changes: new StoredChanges(objects, new StoreLock(lock, "test")),
      file: join(objects, "ab", `${version.slice(2)}.changes`),
      lock,
    };
  }

  const change: Change = {
    location: "sort",
    result: "Degradation",
    type: "time",
    from: "1.0s",
    to: "7.0s",
    rate: 7,
    relativeRate: 0,
    confidence: { type: "no", rate: 0 },
    method: "average_amount_threshold",
  };
  const line = `sort PerformanceChange.Degradation time 1.0s 7.0s 7.0 no 0 0.0 ${baseline} ./sort big`;
  const stored = (differs: Partial<Change> = {}): ReturnType<typeof storedChange> =>
    storedChange({ ...change, ...differs }, baseline, "./sort big");

  describe("stored changes", () => {
    it("are written sorted, in Perun's format, and read back", () => {
      const { changes, file } = open();
      changes.replace(version, () => false, [stored(), stored({ location: "main" })]);
      expect(readFileSync(file, "utf8")).toBe(`${line.replace("sort", "main")}\n${line}`);
      expect(changes.read(version)).toMatchObject([
        { location: "main" },
        { location: "sort", rate: 7, command: "./sort big", baseline },
      ]);
    });

    it("replace outdated ones and those with the same key; other lines stay byte for byte", () => {
      const { changes, file } = open();
      const values = "8.00s 0.01s 1.25e-3 r_square 0.50 0.0";
      const foreign = `other PerformanceChange.Optimization time ${values} ${baseline} ./other`;
      mkdirSync(join(file, ".."));
      writeFileSync(file, [foreign, line, "unparsable line", line.replace("sort", "old")].join("\n"));
      changes.replace(version, ({ location }) => location === "old", [stored({ rate: 9 })]);
      expect(readFileSync(file, "utf8").split("\n")).toEqual([
        foreign,
        line.replace(" 7.0 no", " 9.0 no"),
        "unparsable line",
      ]);
    });

    it("that become empty remove the file", () => {
      const { changes, file } = open();
      changes.replace(version, () => false, [stored()]);
      changes.replace(version, () => true, []);
      expect(existsSync(file)).toBe(false);
      expect(changes.read(version)).toEqual([]);
    });

    it("are not rewritten if nothing differs: no lock, no new file", () => {
      const { changes, file, lock } = open();
      changes.replace(version, () => true, []);
      expect(existsSync(join(file, ".."))).toBe(false);
      changes.replace(version, () => false, [stored()]);
      const before = statSync(file).ino;
      writeFileSync(lock, "held by another process");
      changes.replace(version, () => true, [stored()]);
      expect(statSync(file).ino).toBe(before);
    });
  });
});
