// Bundles a TypeScript file of the project, so that a benchmark can call its functions.
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "../scripts/prepare.mjs";

/** Writes the bundle of a file and returns its path. It is in `node_modules`, where packages are found. */
export async function bundleOf(file, define = {}) {
  const outfile = join(root, "node_modules/.cache", `perfkeep-${basename(file, ".ts")}.mjs`);
  const entryPoints = [join(root, file)];
  await build({ entryPoints, bundle: true, platform: "node", format: "esm", packages: "external", outfile, define });
  return outfile;
}

/** The exports of a file. */
export async function bundled(file, define) {
  return import(pathToFileURL(await bundleOf(file, define)).href);
}
