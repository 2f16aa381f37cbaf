import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Digest, VersionId } from "../src/core/versions/index.ts";
import { encodeIndex, encodeObject, packObject } from "../src/formats/store/index.ts";
import { createStore, openStore, type Store } from "../src/store/store.ts";

const reads = 5000;

const open = (folder: string): Store => openStore(folder, { command: "bench" });

/** A number in [0, 1) that depends on the text only. */
function noise(text: string): number {
  return createHash("sha1").update(text).digest().readUInt32LE(0) / 2 ** 32;
}

/** The text of a profile as `collect time` writes it, of one of ten configurations. */
function profileText(number: number): string {
  const times = (kind: string): string =>
    Array.from({ length: 10 }, (_, i) => (0.03 + noise(`${kind} ${number} ${i}`) / 100).toFixed(9)).join(", ");
  const type = (kind: string, i: number): string =>
    `"/usr/bin/bench#${i}": {"amount": [${times(kind)}], "order": [1, 2]}`;
  const uid = (kind: string, i: number): string =>
    `"/usr/bin/bench#${i}": {"subtype": "${kind}", "type": "time", "uid": "/usr/bin/bench"}`;
  const kinds = ["real", "user", "sys"];
  const machine =
    `"machine": {"architecture": "x86_64", "system": "Linux", "release": "6.1.0-18-amd64", "host": "runner-7", "cpu": ` +
    `{"physical": 8, "total": 16, "frequency": "3600.00Mhz", "model": "Model", "governor": "performance"}, "memory": ` +
    `{"total_ram": "31.3 GiB", "swap": "0.0 B"}, "kernel": "#1 SMP PREEMPT_DYNAMIC", "fingerprint": "00ee3e31971af91d"}`;
  return (
    `{"resources": {${kinds.map(type).join(", ")}}, "resource_type_map": {${kinds.map(uid).join(", ")}}, "models": [], ` +
    `"header": {"type": "time", "cmd": "/usr/bin/bench", "workload": "w${number % 10}", "units": {"time": "s"}}, ` +
    `${machine}, "collector_info": {"name": "time", "params": {"warmup": 3, "repeat": 10}}, "postprocessors": []}`
  );
}

/** Registers profiles as files of their own. Unlike the store, it syncs nothing. */
export async function createProfiles(folder: string, count: number, perCommit: number): Promise<object> {
  createStore(folder);
  const write = (id: string, bytes: Uint8Array): void => {
    mkdirSync(join(folder, "objects", id.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, "objects", id.slice(0, 2), id.slice(2)), bytes);
  };
  for (let first = 0; first < count; first += perCommit) {
    const entries = Array.from({ length: Math.min(perCommit, count - first) }, (_, i) => {
      const { plain, digest } = encodeObject("profile", "time", new TextEncoder().encode(profileText(first + i)));
      write(digest, packObject(plain));
      const common = { digest, type: "time", cmd: "/usr/bin/bench", collector: "time", postprocessors: [] };
      return { ...common, name: `p${i}.perf`, time: 1_600_000_000 + first, workload: `w${(first + i) % 10}` };
    });
    write(createHash("sha1").update(`commit ${first}`).digest("hex"), encodeIndex(entries, { trailer: true }));
  }
  return {};
}

export async function packAll(folder: string): Promise<object> {
  const started = performance.now();
  await open(folder).pack({ keep: new Set() });
  return { milliseconds: performance.now() - started };
}

/** Microseconds of a verified read: of one configuration in the order of time, and at random. */
export async function readProfiles(folder: string): Promise<object> {
  const store = open(folder);
  const entries = store
    .members()
    .filter(({ companion, id }) => companion === undefined && store.versions.isIndexed(id as VersionId))
    .flatMap(({ id }) => store.versions.entries(id as VersionId));
  const inOrder = entries.filter(({ workload }) => workload === "w1").toSorted((a, b) => a.time - b.time);
  const atRandom = entries.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  const timed = (digests: readonly Digest[]): number => {
    const started = performance.now();
    for (const digest of digests) store.objects.get(digest);
    return ((performance.now() - started) * 1000) / digests.length;
  };
  const digests = (list: typeof entries): Digest[] => list.slice(0, reads).map(({ digest }) => digest);
  timed(digests(atRandom).slice(0, 200));
  return { inOrder: timed(digests(inOrder)), atRandom: timed(digests(atRandom)) };
}

export async function verify(folder: string): Promise<object> {
  const started = performance.now();
  const { problems } = await open(folder).fsck();
  if (problems.length > 0) throw new Error(problems[0]?.message ?? "");
  return { milliseconds: performance.now() - started };
}
