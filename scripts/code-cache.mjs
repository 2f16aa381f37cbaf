// Creates V8's code cache for the packs of the program, for the running Node version: `node scripts/code-cache.mjs
// FOLDER PACKS.cjs FILES.json PART`.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { everyday } from "./everyday.mjs";

const [folder, loader] = [resolve(process.argv[2]), resolve(process.argv[3])];
const { Packs } = createRequire(import.meta.url)(loader);
const files = JSON.parse(process.argv[4]);
const packs = new Packs(folder, files, () => undefined);

const caches = new Map();
await everyday(packs.part(process.argv[5]).main, (group) => {
  for (const { file, script } of packs.loaded) if (files[group] === file) caches.set(file, script.createCachedData());
});
// Packs that no common command loads are compiled lazily.
for (const name of Object.keys(files)) packs.part(`pack:${name}/outline`);
for (const { file, script } of packs.loaded) {
  const data = caches.get(file) ?? script.createCachedData();
  const digest = createHash("sha256").update(data).digest();
  writeFileSync(join(folder, `${file}-${process.versions.v8}-${process.arch}.cache`), Buffer.concat([digest, data]));
}
process.exit(0);
