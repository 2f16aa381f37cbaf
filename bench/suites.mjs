// `npm run bench:suites`: bundles and runs suites.ts.
import { installed } from "../scripts/prepare.mjs";
import { bundled } from "./bundle.mjs";

installed();
const { suiteTrials, pairTrials } = await bundled("bench/suites.ts");
suiteTrials();
pairTrials();
