// `npm run bench:bisect`: bundles and runs bisect.ts. Arguments after `--`: `simulated` or `real`, and after `real` the
// names of the metrics.
import { join } from "node:path";
import { built, installed, root } from "../scripts/prepare.mjs";
import { bundled } from "./bundle.mjs";

const [part, ...names] = process.argv.slice(2);
installed();
const { simulatedTrials, bisectTrials } = await bundled("bench/bisect.ts");
if (part !== "real") simulatedTrials();
if (part !== "simulated") {
  built();
  bisectTrials(join(root, "dist/cli.js"), names);
}
