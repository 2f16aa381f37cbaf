import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openInMemory } from "../../../test/fakes/memory-engine.ts";
import { tarBytes, tarMembers, type TarMember } from "../../../test/contracts/tar-bytes.ts";
import { isFailure, Failure } from "../../core/failures/failure.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { ExperimentDigest } from "./dump-members.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { recordsOf } from "../schema/result-rows.ts";
import { migrate } from "../schema/schema.ts";
import { plainImport } from "../../../test/fakes/import-rows.ts";

let folder: string;
let engine: Engine;
let experiments: Experiments;
let members: readonly TarMember[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-verify-dump-"));
  engine = await openInMemory();
  await migrate(engine);
  const objects = new Objects(join(folder, "kept"), join(folder, "quarantine"));
  const keeper = new Experiments(engine, objects);
  const size = { name: "size", role: "parameter", occurrence: "multiple", type: "integer" } as const;
  const stored = await keeper.create({ name: "ping", readers: [], writers: [], variables: [size] }, 1);
  const { digest } = objects.put("attachment", "raw", new TextEncoder().encode("8\n"));
  await keeper.import(stored, 5, plainImport, async (writer) => {
    writer.begin();
    await writer.rows(tableOf([size], [[8], [16]]));
    await writer.end(new Map(), { created: 5, performed: 5 });
    await writer.claim(1, { path: "a", sha256: "0".repeat(64), object: digest, bytes: 2 }, false);
  });
  await keeper.dump(stored, { to: join(folder, "good.tar.gz"), withoutRaw: false });
  await keeper.purge(stored, 6);
  members = tarMembers(gunzipSync(readFileSync(join(folder, "good.tar.gz"))));
  experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
});

afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const indexOf = (name: string): number => members.findIndex((member) => member.name === name);

function changed(name: string, change: (member: TarMember) => TarMember): TarMember[] {
  return members.map((member) => (member.name === name ? change(member) : member));
}

/** A forged manifest that matches these members. */
function signed(
  list: readonly TarMember[],
  change: (manifest: Record<string, unknown>) => object = () => ({}),
): TarMember[] {
  const rest = list.filter(({ name }) => name !== "manifest.json");
  const manifest = JSON.parse(Buffer.from(members.at(-1)?.bytes ?? []).toString()) as Record<string, unknown>;
  const listed = rest.map(({ name, bytes }) => ({
    name,
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  }));
  const digest = new ExperimentDigest();
  for (const { name, sha256 } of listed)
    if (name === "experiment.json" || name.endsWith(".tsv")) digest.add(name, sha256);
  const forged = { ...manifest, contents: digest.end(), members: listed, ...change(manifest) };
  return [...rest, { name: "manifest.json", bytes: text(JSON.stringify(forged)) }];
}

const data = "data/00000001.tsv";
const rows = (value: string): TarMember[] => signed(changed(data, (member) => ({ ...member, bytes: text(value) })));
const described = (change: (json: string) => string): TarMember[] =>
  signed(
    changed("experiment.json", (member) => ({ ...member, bytes: text(change(Buffer.from(member.bytes).toString())) })),
  );
const inserted = (at: number, ...more: TarMember[]): TarMember[] => [
  ...members.slice(0, at),
  ...more,
  ...members.slice(at),
];
const archive = (list: readonly TarMember[]): Uint8Array => gzipSync(tarBytes(list));

const hostile: Readonly<Record<string, () => Uint8Array>> = {
  "is empty": () => new Uint8Array(0),
  "is no gzip": () => text("hello"),
  "is gzip of no tar": () => gzipSync("hello".repeat(1000)),
  "is an empty tar": () => archive([]),
  "is cut in its gzip": () => archive(members).subarray(0, 300),
  "is cut in its tar": () => gzipSync(tarBytes(members).subarray(0, 2000)),
  "goes on after its end": () => Buffer.concat([archive(members), text("garbage")]),
  "goes on after its manifest": () => archive([...members, { name: data, bytes: text("x") }]),
  "goes on in a second gzip": () =>
    Buffer.concat([archive(members), gzipSync(tarBytes([{ name: "format", bytes: text("x") }]))]),
  "lacks its manifest": () => archive(members.slice(0, -1)),
  "lacks its mark": () => archive(members.slice(1)),
  "lacks a member": () => archive(members.filter(({ name }) => name !== data)),
  "lacks its description": () => archive(signed(members.filter(({ name }) => name !== "experiment.json"))),
  "has a member twice": () => archive(inserted(indexOf(data), members[indexOf(data)] as TarMember)),
  "has members in another order": () => archive(signed([...members].reverse())),
  "has a changed member": () =>
    archive(changed(data, (member) => ({ ...member, bytes: text("run\tordinal\tsize\n1\t1\t9\n") }))),
  "has rows in another order": () => archive(rows("run\tordinal\tsize\n1\t2\t16\n1\t1\t8\n")),
  "has rows of no run": () => archive(rows("run\tordinal\tsize\n1\t1\t8\n1\t2\t16\n7\t1\t9\n")),
  "has a row with too few cells": () => archive(rows("run\tordinal\tsize\n1\t1\n")),
  "has a cell that is no number": () => archive(rows("run\tordinal\tsize\n1\t1\tmany\n")),
  "has a number in another spelling": () => archive(rows("run\tordinal\tsize\n1\t1\t08\n")),
  "has a number beyond 64 bits": () => archive(rows("run\tordinal\tsize\n1\t1\t9999999999999999999\n")),
  "has no row number": () => archive(rows("run\tordinal\tsize\n\\N\t1\t8\n")),
  "has rows that are no UTF-8": () =>
    archive(signed(changed(data, (member) => ({ ...member, bytes: new Uint8Array([0xff, 0xfe]) })))),
  "has rows of other columns": () => archive(rows("run\tordinal\tp_1\n1\t1\t8\n")),
  "has a row that is not whole": () => archive(rows("run\tordinal\tsize\n1\t1\t8")),
  "leads out of its folder": () => archive(inserted(2, { name: "../../etc/passwd", bytes: text("x") })),
  "has an absolute path": () => archive(inserted(2, { name: "/etc/passwd", bytes: text("x") })),
  "has a symbolic link": () =>
    archive(inserted(2, { name: "claims/00000001.tsv", type: "2", link: "/etc/passwd", bytes: text("") })),
  "has a hard link": () =>
    archive(inserted(2, { name: "claims/00000001.tsv", type: "1", link: "format", bytes: text("") })),
  "has a device": () => archive(inserted(2, { name: "claims/00000001.tsv", type: "3", bytes: text("") })),
  "has a folder": () => archive(inserted(2, { name: "claims/", type: "5", bytes: text("") })),
  "has a long name": () => archive(inserted(2, { name: "././@LongLink", type: "L", bytes: text("x".repeat(5000)) })),
  "has an endless extended header": () => archive([{ name: "x", type: "x", bytes: text(""), size: 8 ** 11 - 1 }]),
  "has an extended header that moves a member": () =>
    archive(inserted(2, { name: "PaxHeader", type: "x", bytes: text("28 path=claims/00000001.tsv\n") })),
  "has a member of more bytes than it may": () => archive([{ name: "format", bytes: text("x".repeat(100)) }]),
  "promises bytes that do not come": () => archive(changed(data, (member) => ({ ...member, size: 8 ** 11 - 1 }))),
  "has an object under another name": () =>
    archive(
      signed(
        members.map((member) =>
          member.name.startsWith("objects/") ? { ...member, name: `objects/${"0".repeat(40)}` } : member,
        ),
      ),
    ),
  "has an object that is none": () =>
    archive(
      signed(
        members.map((member) =>
          member.name.startsWith("objects/") ? { ...member, bytes: text("#!/bin/sh\n") } : member,
        ),
      ),
    ),
  "has an empty object": () =>
    archive(
      signed(members.map((member) => (member.name.startsWith("objects/") ? { ...member, bytes: text("") } : member))),
    ),
  "has a manifest that is no JSON": () =>
    archive(changed("manifest.json", (member) => ({ ...member, bytes: text("{") }))),
  "has a manifest of something else": () =>
    archive(changed("manifest.json", (member) => ({ ...member, bytes: text("[]") }))),
  "has an experiment without a name": () => archive(signed(members, () => ({ experiment: "" }))),
  "has an experiment with a name that hides": () => archive(signed(members, () => ({ experiment: "\u00011" }))),
  "has a wrong digest": () => archive(signed(members, () => ({ contents: "0".repeat(64) }))),
  "has too many variables in its ledger": () => archive(signed(members, () => ({ variables: [1, 2] }))),
  "has a description of no experiment": () => archive(described(() => "{}")),
  "has a variable twice": () =>
    archive(
      described((json) => json.replace(/"variables":\[(.*)\]\}/, (_, one: string) => `"variables":[${one},${one}]}`)),
    ),
  "has a variable of an unknown type": () => archive(described((json) => json.replace('"integer"', '"__proto__"'))),
  "has an invalid time": () => archive(described((json) => json.replace(/"created":\d+/, '"created":1e300'))),
  "has a ledger of something else": () =>
    archive(
      signed(
        changed("ledger/00000001.json", (member) => ({ ...member, bytes: text('{"schema":"perfkeep.ledger/1"}') })),
      ),
    ),
  "has a ledger that skips an entry": () =>
    archive(
      signed(
        members.map((member) =>
          member.name === "ledger/00000002.json" ? { ...member, name: "ledger/00000003.json" } : member,
        ),
      ),
    ),
};

async function left(): Promise<readonly unknown[]> {
  const counts = recordsOf(
    await engine.query(
      `select (select count(*) from experiment) as experiments, (select count(*) from run) as runs,
        (select count(*) from variable) as variables,
       (select count(*) from duckdb_tables() where table_name like 'data_%') as tables,
        (select number from ledger_head) as changes`,
    ),
  );
  return counts.flatMap((row) => [...row]);
}

async function failureOf(path: string): Promise<Failure> {
  try {
    await experiments.restoreDump({ from: path });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it was restored");
}

test.each(Object.keys(hostile))("a dump that %s is refused without leaving data", async (name) => {
  const path = join(folder, "hostile.tar.gz");
  writeFileSync(path, hostile[name]?.() ?? "");
  const before = await left();
  const failure = await failureOf(path);
  expect([failure.code, failure.message]).toEqual([
    "dump-damaged",
    expect.stringMatching(/^hostile\.tar\.gz\S*(?: \S+)? is not a complete dump of an experiment: /),
  ]);
  expect(failure.message).not.toMatch(/\p{Cc}/u);
  expect(await left()).toEqual(before);
});

test("a dump truncated anywhere is refused", async () => {
  const path = join(folder, "cut.tar.gz");
  const big = "x".repeat(100_000);
  const [tar, packed] = [tarBytes([...members.slice(0, 2), { name: data, bytes: text(big) }]), archive(members)];
  const cuts = [
    ...Array.from({ length: 30 }, (_, at) => gzipSync(tar.subarray(0, 1 + at * 3000))),
    ...Array.from({ length: 30 }, (_, at) => packed.subarray(0, Math.floor(((at + 0.5) * packed.length) / 30))),
  ];
  for (const cut of cuts) {
    writeFileSync(path, cut);
    expect((await failureOf(path)).code).toBe("dump-damaged");
  }
});

test("unreadable files and newer formats have their own failures", async () => {
  const [newer, link] = [join(folder, "newer.tar.gz"), join(folder, "link.tar.gz")];
  writeFileSync(newer, archive([{ name: "format", bytes: text("perfkeep-dump 2\n") }, ...members.slice(1)]));
  expect(isFailure(await failureOf(newer), "dump-newer")).toBe(true);
  expect(isFailure(await failureOf(join(folder, "nowhere.tar.gz")), "unreadable-file")).toBe(true);
  mkdirSync(join(folder, "folder.tar.gz"));
  expect(isFailure(await failureOf(join(folder, "folder.tar.gz")), "unreadable-file")).toBe(true);
  symlinkSync(join(folder, "good.tar.gz"), link);
  expect((await experiments.restoreDump({ from: link, as: "linked" })).experiment).toBe("linked");
});

test("the undamaged dump is restored once, then refused because its name is taken", async () => {
  const path = join(folder, "again.tar.gz");
  writeFileSync(path, archive(signed(members)));
  expect((await experiments.restoreDump({ from: path })).runs).toBe(1);
  expect(isFailure(await failureOf(path), "experiment-exists")).toBe(true);
  expect((await experiments.restoreDump({ from: path, as: "pong" })).experiment).toBe("pong");
  expect(readdirSync(join(folder, "objects")).length).toBeGreaterThan(0);
});
