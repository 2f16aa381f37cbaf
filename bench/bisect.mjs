// `npm run bench:bisect`: bisect.ts bundled and run.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { installed, root } from "../scripts/prepare.mjs";

installed();
const outfile = join(root, "node_modules/.cache/perfkeep-bisect.mjs");
await build({ entryPoints: [join(root, "bench/bisect.ts")], bundle: true, platform: "node", format: "esm", packages: "external", outfile });
await import(pathToFileURL(outfile).href);
