// `npm run bench:bisect`: bundles and runs bisect.ts. Arguments after `--`: `simulated` or `real`, and after `real` the
// names of the metrics.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { built, installed, root } from "../scripts/prepare.mjs";

const [part, ...names] = process.argv.slice(2);
installed();
const outfile = join(root, "node_modules/.cache/perfkeep-bisect.mjs");
await build({
  entryPoints: [join(root, "bench/bisect.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  outfile,
});
const { simulatedTrials, bisectTrials } = await import(pathToFileURL(outfile).href);
if (part !== "real") simulatedTrials();
if (part !== "simulated") {
  built();
  bisectTrials(join(root, "dist/cli.js"), names);
}
