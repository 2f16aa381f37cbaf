// `npm run bench:suites`: bundles and runs suites.ts.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { installed, root } from "../scripts/prepare.mjs";

installed();
const outfile = join(root, "node_modules/.cache/perfkeep-suites.mjs");
await build({
  entryPoints: [join(root, "bench/suites.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  outfile,
});
const { suiteTrials, pairTrials } = await import(pathToFileURL(outfile).href);
suiteTrials();
pairTrials();
