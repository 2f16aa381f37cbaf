import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { encodeObject, packObject } from "../../formats/store/object.ts";
import { ObjectBatch } from "./object-batch.ts";
import { memberPath } from "./object-paths.ts";
import { Objects } from "./objects.ts";

describe("a batch of objects", () => {
  let folder: string;
  let objects: Objects;
  let batch: ObjectBatch;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "batch-"));
    objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
    batch = new ObjectBatch(objects.folder);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sample = (n: number): { digest: Digest; packed: Uint8Array } => {
    const { plain, digest } = encodeObject("attachment", "raw", new TextEncoder().encode(`n = ${n}`));
    return { digest, packed: packObject(plain) };
  };
  const add = (n: number): Promise<void> => batch.add(sample(n).digest, sample(n).packed);
  const body = (n: number): string => new TextDecoder().decode(objects.get(sample(n).digest).body);
  const temporary = (): string[] => readdirSync(objects.folder).filter((name) => name.startsWith("."));

  test("objects are stored on commit, each once, without temporary files", async () => {
    for (const n of [1, 2, 3, 2]) await add(n);
    expect(existsSync(objects.folder)).toBe(false);
    await batch.commit();
    expect([1, 2, 3].map(body)).toEqual(["n = 1", "n = 2", "n = 3"]);
    expect(temporary()).toEqual([]);
    await batch.commit();
  });

  test("a full batch is stored before the commit", async () => {
    for (let n = 0; n < 4096; n++) await add(n);
    expect([0, 4095].map(body)).toEqual(["n = 0", "n = 4095"]);
  });

  test("repairs a damaged object and keeps an intact one", async () => {
    const intact = objects.put("attachment", "raw", new TextEncoder().encode("n = 1"));
    const path = memberPath(objects.folder, sample(2).digest);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "damaged");
    for (const n of [1, 2]) await add(n);
    await batch.commit();
    expect([intact.digest, body(1), body(2)]).toEqual([sample(1).digest, "n = 1", "n = 2"]);
  });

  test("a failure leaves no temporary file, and a discarded batch stores nothing", async () => {
    await add(1);
    mkdirSync(objects.folder, { recursive: true });
    writeFileSync(dirname(memberPath(objects.folder, sample(1).digest)), "in the way");
    await expect(batch.commit()).rejects.toMatchObject({ code: expect.any(String) });
    expect(temporary()).toEqual([]);
    batch.discard();
    await batch.commit();
    expect(temporary()).toEqual([]);
  });
});
