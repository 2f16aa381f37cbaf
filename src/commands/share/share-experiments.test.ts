import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import {
  decodeSharedChange,
  encodeSharedChange,
  sharedChangeDigest,
  type SharedChange,
} from "../../formats/store/sharing/experiment-change.ts";
import { encodeObject } from "../../formats/store/object.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import { ExperimentsPart } from "../../workspace/share/parts/experiments-part.ts";
import type { ShareContext, SharedFolder } from "../../workspace/share/parts/share-part.ts";
import { silentProgress } from "../../workspace/share/git/share-progress.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { createExperiment } from "../experiments/create-experiment.ts";
import { deleteExperiment, type DeleteTarget } from "../experiments/delete-experiment.ts";
import { importReplayer } from "../import/replay.ts";
import { importFiles } from "../import/import.ts";
import { pull, push } from "./share.ts";
import { rebuildExperiments } from "../maintenance/rebuild.ts";

let folder: string;
let clock = 1_700_000_000_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-shared-"));
  execFileSync("git", ["init", "-q", "--bare", join(folder, "remote.git")]);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = (body: string): Uint8Array => new TextEncoder().encode(body);

/** A user with their own instance. */
class Person {
  readonly home: string;
  readonly workspace: Workspace;

  constructor(name: string) {
    this.home = join(folder, name);
    mkdirSync(join(this.home, ".perun", "objects"), { recursive: true });
    execFileSync("git", ["init", "-q", this.home]);
    const environment = { HOME: this.home, USER: name, PATH: process.env["PATH"] ?? "" };
    const now = (): number => (clock += 1000);
    this.workspace = new Workspace({ directory: this.home, environment, now, random: () => 0.5, command: "test" });
  }

  write(name: string, body: string): string {
    writeFileSync(join(this.home, name), body);
    return name;
  }

  async create(body: string): Promise<void> {
    await createExperiment(this.workspace, { file: this.write("new.exp", body) });
  }

  async import(name: string, body: string): Promise<number[]> {
    const description = { file: this.write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n") };
    const result = await importFiles(this.workspace, {
      experiment: "ping",
      inputs: [{ description, files: [this.write(name, body)] }],
    });
    return result.runs.map(({ run = 0 }) => run);
  }

  async push(): Promise<Record<string, number>> {
    const { sent } = await push(this.workspace, { remote: join(folder, "remote.git"), dryRun: false });
    return Object.fromEntries(sent.map(({ kind: part, count }) => [part, count]));
  }

  async pull(): Promise<{ readonly counts: Readonly<Record<string, number>>; readonly notes: readonly string[] }> {
    return (await pull(this.workspace, { remote: join(folder, "remote.git"), dryRun: false })).summary;
  }

  digests(): Promise<Record<string, string>> {
    return withExperiments(this.workspace, experimentHome(this.workspace), "read", async (all) => {
      const found: Record<string, string> = {};
      for (const { name } of await all.list()) found[name] = await all.experimentDigest(await all.find(name));
      return found;
    });
  }

  rows(): Promise<string[]> {
    return withExperiments(this.workspace, experimentHome(this.workspace), "read", async (all) => {
      const runs = await all.runs(await all.find("ping"), false);
      return runs.map(({ number, sources, rows }) => `${number} ${sources.map(({ path }) => path).join()} ${rows}`);
    });
  }
}

const ping = "*experiment ping\n*parameter size int Byte\n*result time float us\n";

test("push and pull share experiments", async () => {
  const [ann, bob] = [new Person("ann"), new Person("bob")];
  await ann.create(ping);
  await ann.import("a.txt", "8 1.5\n16 2.5\n");
  // Two changes, the file and its description.
  expect(await ann.push()).toEqual({ experiments: 4 });
  expect(await ann.push()).toEqual({});
  expect((await bob.pull()).counts).toEqual({ "changes of experiments": 2, "experiments added": 1 });
  expect(await bob.digests()).toEqual(await ann.digests());
  expect(await bob.pull()).toEqual({ counts: {}, notes: [] });
  await bob.import("b.txt", "8 3.5\n");
  await ann.import("a2.txt", "8 4.5\n");
  await ann.push();
  expect((await bob.pull()).notes).toEqual(["run 2 of ping is now run 3"]);
  await bob.push();
  await ann.pull();
  expect(await ann.rows()).toEqual(["1 a.txt 2", "2 a2.txt 1", "3 b.txt 1"]);
  expect(await bob.digests()).toEqual(await ann.digests());
  await rebuildExperiments(bob.workspace, {});
  expect(await bob.digests()).toEqual(await ann.digests());
});

/** A fabricated change and the file it needs. */
function madeUp(change: Partial<SharedChange> = {}): SharedChange {
  const description = {
    name: "ping",
    readers: [],
    writers: [],
    variables: [{ name: "t", role: "result", occurrence: "multiple", type: "float" }],
  } as const;
  const digest = encodeObject("attachment", "raw", text("x")).digest;
  return {
    experiment: digest,
    origin: digest,
    sent: 1,
    time: 1,
    what: { kind: "create-experiment", description, keys: ["t"] },
    ...change,
  };
}

const part = new ExperimentsPart(importReplayer);

function verified(path: string, body: Uint8Array): string {
  try {
    part.verify(path, body, clock);
    return "accepted";
  } catch (error) {
    if (isFailure(error, "share-refused")) return error.message;
    throw error;
  }
}

test("refuses invalid or misnamed changes with a one-line message", () => {
  const change = madeUp();
  const bytes = encodeSharedChange(change);
  const at = (body: Uint8Array): string => `${change.experiment}/${sharedChangeDigest(body)}`;
  const asText = new TextDecoder().decode(bytes);
  const altered = (from: string, to: string): string => {
    const body = text(asText.replace(from, to));
    expect(body).not.toEqual(bytes);
    return verified(at(body), body);
  };
  expect(verified(at(bytes), bytes)).toBe("accepted");
  expect(decodeSharedChange(bytes, "x")).toEqual(change);
  expect(verified(at(text("x")), bytes)).toMatch(/its digest is/);
  expect(verified(`${"0".repeat(40)}/${sharedChangeDigest(bytes)}`, bytes)).toMatch(/another experiment/);
  expect(altered("create-experiment", "run-program")).toMatch(/unknown kind 'run-program'/);
  expect(altered('"name":"ping"', '"name":"../../etc/passwd"')).toMatch(/no proper name/);
  expect(altered('"name":"t"', '"name":"\\u001b[2J"')).toMatch(/no proper name/);
  expect(altered('"keys":["t"]', '"keys":["t","t"]')).toMatch(/keys/);
  expect(altered('"sent":1', '"sent":9007199254740991')).toMatch(/times/);
  expect(altered('"sent":1', '"sent":-1')).toMatch(/times/);
  expect(altered("\n", "\n\n")).toMatch(/not a single line/);
  expect(altered("{", "[")).toMatch(/not JSON/);
  expect(verified(at(text(`${"[".repeat(1e6)}\n`)), text(`${"[".repeat(1e6)}\n`))).toMatch(/not JSON/);
  const large = new Uint8Array(17 << 20).fill(0x20);
  expect(verified(`${change.experiment}/${sharedChangeDigest(large)}`, large)).toMatch(/bytes/);
  const file = encodeObject("attachment", "raw", text("x"));
  const name = `${file.digest.slice(0, 2)}/${file.digest.slice(2)}`;
  expect(verified(name, file.plain)).toBe("accepted");
  expect(verified(name, text("attachment raw 1\0y"))).toMatch(/digest/);
  for (const path of [
    "../x",
    "ab/../x",
    "ab/" + "c".repeat(37),
    "a".repeat(40),
    `${"a".repeat(40)}/${"A".repeat(40)}`,
    "ab/c\n",
  ])
    expect(part.accepts(path)).toBe(false);
});

/** A folder of a remote. */
function folderOf(changes: readonly SharedChange[]): SharedFolder {
  const files = new Map(
    changes
      .map(encodeSharedChange)
      .map((bytes, at) => [`${changes[at]!.experiment}/${sharedChangeDigest(bytes)}`, bytes]),
  );
  return {
    paths: new Map([...files.keys()].map((path) => [path, path])),
    sizes: async (paths) => [...paths].map((path) => files.get(path)?.length ?? 0),
    async *read(paths) {
      for (const path of paths) {
        const body = files.get(path) ?? new Uint8Array();
        part.verify(path, body, clock);
        yield { path, bytes: body };
      }
    },
  };
}

function sceneOf({ workspace, home }: Person): ShareContext {
  return { workspace, folder: join(home, ".perun"), instance: "0".repeat(32), filter: {}, progress: silentProgress };
}

test("changes that cannot be applied leave everything unchanged", async () => {
  const ann = new Person("ann");
  await ann.create(ping);
  const before = await ann.digests();
  const ahead = folderOf([madeUp({ sent: (clock + 2 * 86_400_000) * 1000 })]);
  await expect(part.receive(sceneOf(ann), ahead)).rejects.toMatchObject({ code: "share-refused" });
  const created = madeUp();
  const raw = encodeObject("attachment", "raw", text("1 2"));
  const imported: SharedChange["what"] = {
    kind: "import",
    how: { from: "nobodys-importer", joined: false, sequential: false, fixed: [], missing: "friendly" },
    inputs: [{ path: "../../x\u001b[2J", sha256: "0".repeat(64), object: raw.digest, bytes: 3, runs: [1] }],
    runs: [{ number: 1, created: 1, performed: 1 }],
    force: false,
  };
  experimentHome(ann.workspace).objects.put("attachment", "raw", text("1 2"));
  const odd = [
    { ...madeUp(), origin: sharedChangeDigest(text("1")), sent: 2, what: imported },
    {
      ...madeUp(),
      origin: sharedChangeDigest(text("2")),
      sent: 3,
      what: { kind: "detach", attached: raw.digest } as const,
    },
    {
      ...madeUp(),
      experiment: raw.digest,
      origin: sharedChangeDigest(text("3")),
      sent: 4,
      what: { kind: "delete-experiment" } as const,
    },
  ];
  const received = await part.receive(sceneOf(ann), folderOf([created, ...odd]));
  const { notes } = await received.apply();
  const [name] = Object.keys(await ann.digests()).filter((each) => each !== "ping");
  expect(name).toMatch(/^ping-[0-9a-f]{7}$/);
  expect(notes).toEqual([
    expect.stringContaining(`is named ${name} here`),
    expect.stringContaining("nobodys-importer"),
  ]);
  expect((await ann.digests())["ping"]).toBe(before["ping"]);
});

test("reports deletions by others and how to restore them", async () => {
  const [ann, bob] = [new Person("ann"), new Person("bob")];
  await ann.create(ping);
  for (const name of ["a.txt", "b.txt"]) await ann.import(name, `8 1.5\n${name.length} ${name.charCodeAt(0)}\n`);
  await ann.push();
  expect((await bob.pull()).notes).toEqual([]);
  const gone = async (target: DeleteTarget, purge = false): Promise<readonly string[]> => {
    await deleteExperiment(ann.workspace, { experiment: "ping", target, purge });
    await ann.push();
    return (await bob.pull()).notes;
  };
  const back = "restores it for everyone";
  expect(await gone({ runs: [2] })).toEqual([
    "deleted elsewhere: 1 run of ping; perfkeep experiment undelete ping --run 2 restores them for everyone",
  ]);
  expect(await gone({ whole: true })).toEqual([
    `experiment ping was deleted elsewhere; perfkeep experiment undelete ping ${back}`,
  ]);
  expect((await bob.pull()).notes).toEqual([]);
  await ann.create(ping);
  await ann.push();
  await bob.pull();
  expect(await gone({ whole: true }, true)).toEqual([
    expect.stringMatching(/^experiment ping was permanently deleted elsewhere$/),
  ]);
  expect((await bob.pull()).notes).toEqual([]);
});
