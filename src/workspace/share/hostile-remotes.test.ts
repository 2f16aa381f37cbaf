import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleProfile, SharingInstance, sharedVersions } from "../../../test/fakes/sharing-instance.ts";
import type { Failure } from "../../core/failures/failure.ts";
import { encodeObject } from "../../formats/store/object.ts";
import { readBlobs } from "./git/blob-reader.ts";
import { GitProgram } from "./git/git-program.ts";
import { readTree } from "./git/tree-listing.ts";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-hostile-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const [v1 = "", v2 = ""] = sharedVersions;
const remote = join(scratch, "remote.git");
const canary = join(scratch, "canary");
const ref = "refs/perfkeep/data/v1";
const bob = new SharingInstance(join(scratch, "bob"), remote);
let before: Readonly<Record<string, string>>;

function git(input: string | Uint8Array, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: remote,
    input,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: scratch },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

beforeAll(async () => {
  mkdirSync(remote);
  git("", "init", "--quiet", "--bare", ".");
  await bob.begin();
  bob.add(sharedVersions[0]!, "mine.perf", 1);
  before = bob.everything();
});

const path = (id: string): string => `${id.slice(0, 2)}/${id.slice(2)}`;
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const { plain, digest } = sampleProfile(7);
const id = "0".repeat(16);
const registered = (name: string, object: string = digest): Uint8Array =>
  text(`+ ${id} ${object} 0000001000 time ${name}\n`);
const set = `sets/${path(v2)}`;
const object = `objects/${path(digest)}`;

interface Planted {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode?: string;
}

/** Replaces the shared data of the remote by these files. */
function plant(files: readonly Planted[]): void {
  const pieces = [text(`commit ${ref}\ncommitter x <x> 0 +0000\ndata 0\n`)];
  for (const { path: name, bytes, mode = "100644" } of files)
    pieces.push(text(`M ${mode} inline ${name}\ndata ${bytes.length}\n`), bytes, text("\n"));
  git("", "update-ref", "-d", ref);
  git(Buffer.concat(pieces), "fast-import", "--quiet", "--force");
}

/** A git tree with these entries, valid or not. */
function tree(entries: readonly (readonly [mode: string, name: string, id: string])[]): string {
  const bytes = entries.flatMap(([mode, name, blob]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, "hex")]);
  return git(Buffer.concat(bytes), "hash-object", "-w", "-t", "tree", "--literally", "--stdin");
}

function plantTree(root: string): void {
  const commit = git(
    `tree ${root}\nauthor x <x> 0 +0000\ncommitter x <x> 0 +0000\n\n`,
    "hash-object",
    "-w",
    "-t",
    "commit",
    "--stdin",
  );
  git("", "update-ref", ref, commit);
}

async function refusal(): Promise<Failure> {
  const failure = await bob.pull().then(
    () => null,
    (error: Failure) => error,
  );
  expect(failure, "it was not refused").not.toBeNull();
  expect(failure!.message).not.toContain("\n");
  expect(bob.everything()).toEqual(before);
  return failure!;
}

const good: Planted = { path: object, bytes: plain };
const attachment = encodeObject("attachment", "raw", text("x"));
const noProfile = encodeObject("profile", "time", text("not json"));
const wrongLength = text("profile time 99\0{}");

test("valid data is accepted", async () => {
  plant([{ path: set, bytes: registered("x.perf") }, good]);
  expect((await bob.pull({}, true)).summary.counts).toEqual({ "profiles added": 1, "profiles received": 1 });
  expect(bob.everything()).toEqual(before);
});

test.each<readonly [string, readonly Planted[], string]>([
  [
    "an object with another digest",
    [
      { path: set, bytes: registered("x.perf") },
      { path: object, bytes: sampleProfile(8).plain },
    ],
    "its digest is",
  ],
  [
    "an object that is an attachment",
    [
      { path: set, bytes: registered("x.perf", attachment.digest) },
      { path: `objects/${path(attachment.digest)}`, bytes: attachment.plain },
    ],
    "it is not a profile",
  ],
  [
    "an object without a profile",
    [
      { path: set, bytes: registered("x.perf", noProfile.digest) },
      { path: `objects/${path(noProfile.digest)}`, bytes: noProfile.plain },
    ],
    "JSON",
  ],
  [
    "an object without header",
    [
      { path: set, bytes: registered("x.perf") },
      { path: object, bytes: wrongLength },
    ],
    "its digest is",
  ],
  ["a name that is a path", [{ path: set, bytes: registered("../../x.perf") }, good], "it holds a slash"],
  [
    "a name with an escape",
    [{ path: set, bytes: registered("x\u001b[2J.perf") }, good],
    "it holds a control character",
  ],
  ["a name like an option", [{ path: set, bytes: registered("-rf") }, good], "it begins like an option"],
  [
    "a digest that is a path",
    [{ path: set, bytes: text(`+ ${id} ../../../../../../etc/passwd 0000001000 time x\n`) }, good],
    "it is not a registration",
  ],
  ["an invalid set", [{ path: set, bytes: Uint8Array.of(0xff, 0xfe, 0) }], "it is not UTF-8"],
  [
    "an addition that stands and has ended",
    [{ path: set, bytes: text(`+ ${id} x\n- ${id}\n`) }],
    "it is not a registration|stands",
  ],
  ["a set at a path without a version", [{ path: "sets/zz/00", bytes: registered("x.perf") }], "invalid path"],
  ["capitals", [{ path: `objects/${path(digest).toUpperCase()}`, bytes: plain }], "invalid path"],
  ["a file outside of the parts", [{ path: "README", bytes: text("x") }], "invalid path"],
  ["deeper folders", [{ path: `${object}/x`, bytes: text("x") }], "invalid path"],
  ["odd folders", [{ path: '"a\\nb/c"', bytes: text("x") }], "invalid path"],
  ["a link", [{ path: object, bytes: text("/etc/passwd"), mode: "120000" }], "it is not a regular file"],
  ["a program", [{ ...good, mode: "100755" }], "it is not a regular file"],
  [
    "a change with an escape",
    [{ path: `changes/${path(v1)}`, bytes: text(`+ ${id} a\u001b]0;x\u0007\n`) }],
    "control characters",
  ],
])("%s is refused in one line, without changes", async (_name, files, reason) => {
  plant(files);
  expect((await refusal()).message).toMatch(new RegExp(reason));
});

test("a set above the size limit is refused unread", async () => {
  plant([{ path: set, bytes: new Uint8Array(65 << 20) }]);
  expect((await refusal()).message).toMatch(/it has 68157440 bytes, more than the limit of 67108864/);
});

test("trees with traversal names, nested trees and non-commits are refused", async () => {
  const blob = git("x", "hash-object", "-w", "--stdin");
  for (const name of ["..", ".", ".git", ".GIT", "a/b"]) {
    plantTree(tree([["40000", "objects", tree([["40000", name, tree([["100644", "x", blob]])]])]]));
    expect((await refusal()).message).toMatch(/remote\.git/);
  }
  let many = tree([["100644", "x", blob]]);
  for (let depth = 0; depth < 12; depth++)
    many = tree(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((name) => ["40000", name, many]));
  plantTree(many);
  expect((await refusal()).message).toMatch(/invalid path/);
  git("", "update-ref", ref, blob);
  expect((await refusal()).message).toMatch(/its ref names a blob instead of a commit/);
  await expect(bob.push()).rejects.toThrow(/its ref names a blob/);
});

test("the numbers of files and bytes are limited", async () => {
  plant([{ path: set, bytes: registered("x.perf") }, good]);
  const program = new GitProgram(remote, { PATH: process.env["PATH"] });
  const listed = (limit: number): Promise<unknown> => readTree(program, ref, () => true, { limit });
  await expect(listed(2)).resolves.toBeTruthy();
  await expect(listed(1)).rejects.toThrow("it has more than 1 files");
  const blob = git("12345", "hash-object", "-w", "--stdin");
  const read = async (cap: number, name = blob): Promise<unknown> => {
    for await (const { bytes } of readBlobs(program, [{ path: "x", blob: name }], { cap }))
      return new TextDecoder().decode(bytes);
    return null;
  };
  expect(await read(5)).toBe("12345");
  await expect(read(4)).rejects.toThrow("it has 5 bytes, more than the limit of 4");
  await expect(read(4, "0".repeat(40))).rejects.toThrow("its blob is missing");
});

test("a listing that git could not write completely is refused", async () => {
  plant([{ path: set, bytes: registered("x.perf") }, good]);
  const bin = join(scratch, "cutting");
  mkdirSync(bin);
  for (const length of [0, 60, 100]) {
    const cut = `case "$*" in *ls-tree*) PATH=$REAL git "$@" | head -c ${length};; *) PATH=$REAL exec git "$@";; esac`;
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${cut}\n`, { mode: 0o755 });
    const path = process.env["PATH"] ?? "";
    const program = new GitProgram(remote, { PATH: `${bin}:${path}`, REAL: path });
    await expect(readTree(program, ref, () => true)).rejects.toThrow("git does not list all of its files");
  }
});

test.each([
  "ext::touch {canary}",
  "fd::17",
  "-c core.sshCommand=x",
  "--upload-pack=touch {canary}",
  "gopher://x/y",
  "foo://x",
  "",
  "\u0000/x",
  "x\u0000",
  "transport::address",
  "a\nb:c",
])("rejects the address %j", async (word) => {
  const stranger = new SharingInstance(join(scratch, "stranger"), word.replace("{canary}", canary));
  await stranger.begin();
  await expect(stranger.pull()).rejects.toThrow(/is not a remote/);
  await expect(stranger.push()).rejects.toThrow(/is not a remote/);
  expect(existsSync(canary)).toBe(false);
});

test("a foreign repository runs nothing", async () => {
  const eve = await new SharingInstance(join(scratch, "eve"), remote).begin();
  const own = join(eve.perun, "share/git");
  const elsewhere = join(scratch, "elsewhere");
  for (const folder of [own, elsewhere]) mkdirSync(join(folder, "hooks"), { recursive: true });
  const program = join(scratch, "program");
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\nexit 1\n`);
  chmodSync(program, 0o755);
  const names = [
    "core.fsmonitor",
    "core.sshCommand",
    "core.alternateRefsCommand",
    "uploadpack.packObjectsHook",
    "credential.helper",
  ];
  const configuration = names.map((name) => `[${name.split(".")[0]}]\n${name.split(".")[1]} = ${program}\n`).join("");
  for (const folder of [own, elsewhere])
    writeFileSync(
      join(folder, "config"),
      `${configuration}[url "ext::${program} "]\ninsteadOf = /\n[include]\npath = ${elsewhere}/config\n`,
    );
  for (const hook of ["pre-push", "post-update", "reference-transaction", "pre-auto-gc"])
    writeFileSync(join(own, "hooks", hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  writeFileSync(join(own, "commondir"), `${elsewhere}\n`);
  plant([{ path: set, bytes: registered("x.perf") }, good]);
  await eve.pull();
  expect(eve.names(sharedVersions[1]!)).toEqual(["x.perf"]);
  eve.add(sharedVersions[0]!, "y.perf", 9);
  await eve.push();
  expect(existsSync(canary)).toBe(false);
});
