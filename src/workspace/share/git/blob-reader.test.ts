import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitBlobId } from "../../../formats/store/sharing/git-pack-index.ts";
import { readBlobs, PackedBlobs } from "./blob-reader.ts";
import { GitProgram } from "./git-program.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packed-"));
  git("init", "--quiet", "--bare", folder);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

const texts = ["", "short", ...Array.from({ length: 40 }, (_, n) => `the same text ${n} ${"as ever ".repeat(400)}`)];
const blobs = texts.map((text) => gitBlobId(new TextEncoder().encode(text)));

function put(some: readonly string[], ...args: string[]): void {
  const input = some.map(
    (text, n) =>
      (n === 0 ? "commit refs/x\ncommitter a <a> 0 +0000\ndata 0\n" : "") +
      `M 100644 inline ${n}\ndata ${text.length}\n${text}\n`,
  );
  const settings = ["-c", "fastimport.unpackLimit=1"];
  const { status, stderr } = spawnSync("git", [...settings, "fast-import", "--force", ...args], {
    cwd: folder,
    input: input.join(""),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

/** The texts read, and the number that had a zlib stream of their own. */
async function all(wanted = blobs): Promise<{ texts: string[]; whole: number }> {
  const program = new GitProgram(folder, { PATH: process.env["PATH"] });
  const found: string[] = [];
  let whole = 0;
  for await (const { bytes, packed } of readBlobs(
    program,
    wanted.map((blob, at) => ({ path: String(at), blob })),
    { cap: 1 << 20 },
  )) {
    found.push(new TextDecoder().decode(bytes));
    if (packed === undefined) continue;
    whole += 1;
    expect(new Uint8Array(inflateSync(packed))).toEqual(bytes);
  }
  return { texts: found, whole };
}

test("reads undeltified blobs from packs", async () => {
  put(texts, "--depth=0");
  expect(await all()).toEqual({ texts, whole: texts.length });
  expect((await all([...blobs].reverse())).texts).toEqual([...texts].reverse());
});

test("reads deltified and loose blobs through git, in the requested order", async () => {
  put(texts.slice(0, 20));
  git("repack", "-adfq", "--depth=5");
  put(texts.slice(0, 30), "--depth=0");
  for (const text of texts.slice(30)) {
    writeFileSync(join(folder, "text"), text);
    git("hash-object", "-w", "text");
  }
  const read = await all();
  expect(read.texts).toEqual(texts);
  expect(read.whole).toBeGreaterThan(10);
  expect(read.whole).toBeLessThan(30);
});

test("rejects a damaged pack in one line", async () => {
  put(texts, "--depth=0");
  const pack = readdirSync(join(folder, "objects/pack")).find((name) => name.endsWith(".pack"))!;
  const path = join(folder, "objects/pack", pack);
  const bytes = readFileSync(path);
  chmodSync(path, 0o644);
  for (const at of [0, 100, 400, 900, bytes.length - 30]) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, at, at + 30);
    writeFileSync(path, damaged);
    const found = await all().then(
      (read) => read.texts,
      (error: unknown) => error,
    );
    if (Array.isArray(found)) expect(found).toEqual(texts);
    else expect(found).toMatchObject({ code: "share-refused" });
  }
  writeFileSync(path, bytes.subarray(0, 200));
  await expect(all()).rejects.toMatchObject({ code: "share-refused" });
});

test("leaves packs with an invalid index to git", () => {
  put(texts, "--depth=0");
  const packs = join(folder, "objects/pack");
  for (const name of readdirSync(packs).filter((each) => each.endsWith(".idx"))) {
    chmodSync(join(packs, name), 0o644);
    writeFileSync(join(packs, name), "x");
  }
  const opened = new PackedBlobs(folder);
  expect(opened.find(blobs[1]!)).toBeNull();
  opened.close();
});
