// `node bench/packs.mjs [--profiles N] [--per-commit N]`: files, bytes, time of a read and memory of fsck, loose and packed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { installed, root } from "../scripts/prepare.mjs";

const { values } = parseArgs({
  options: { profiles: { type: "string", default: "20000" }, "per-commit": { type: "string", default: "10" } },
});

installed();
const outfile = join(root, "node_modules/.cache/perfkeep-packs.mjs");
await build({
  entryPoints: [join(root, "bench/packs.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  outfile,
});
const folder = mkdtempSync(join(tmpdir(), "perfkeep-packs-"));

/** Runs a step in a process of its own; returns what it prints, and its largest memory in MiB. */
function step(name, ...words) {
  const script = `import { ${name} } from ${JSON.stringify(pathToFileURL(outfile).href)};
    const result = await ${name}(${JSON.stringify(folder)}, ...${JSON.stringify(words)});
    console.log(JSON.stringify({ ...result, memory: process.resourceUsage().maxRSS / 1024 }));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Files and bytes of disk blocks below a folder. */
function sizeOf(path) {
  const total = { files: 0, bytes: 0, blocks: 0 };
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size, blocks } = statSync(join(entry.parentPath ?? entry.path, entry.name));
    total.files += 1;
    total.bytes += size;
    total.blocks += 512 * blocks;
  }
  return total;
}

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function report(name) {
  const { files, bytes, blocks } = sizeOf(folder);
  const { inOrder, atRandom } = step("readProfiles");
  const { milliseconds, memory } = step("verify");
  console.log(
    `${name}: ${files} files, ${mebibytes(bytes)}, on disk ${mebibytes(blocks)}; a read in order ${inOrder.toFixed(0)} µs, ` +
      `at random ${atRandom.toFixed(0)} µs; fsck ${(milliseconds / 1000).toFixed(1)} s, ${memory.toFixed(0)} MiB`,
  );
  return { files, blocks, inOrder, atRandom };
}

try {
  step("createProfiles", Number(values.profiles), Number(values["per-commit"]));
  console.log(`${values.profiles} profiles, ${values["per-commit"]} at each commit`);
  const loose = report("loose");
  const { milliseconds, memory } = step("packAll");
  console.log(`gc --pack: ${(milliseconds / 1000).toFixed(1)} s, ${memory.toFixed(0)} MiB`);
  const packed = report("packed");
  const ratio = (name) => (loose[name] / packed[name]).toFixed(1);
  console.log(
    `loose / packed: files ${ratio("files")}, disk ${ratio("blocks")}, ` +
      `read in order ${ratio("inOrder")}, at random ${ratio("atRandom")}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
