import { join } from "node:path";
import { bundled } from "./bundle.mjs";

/**
 * Queries and imports of an experiment sharded over servers, compared with the same rows on one server. `--rows N` sets
 * the number of rows (default: 10 million).
 */
export async function clusterQueries(scratch) {
  const { clusterSpeeds } = await bundled("bench/cluster.ts");
  const at = process.argv.indexOf("--rows");
  const rows = at < 0 ? 10_000_000 : Number(process.argv[at + 1]);
  const speeds = await clusterSpeeds(join(scratch, "cluster"), rows, (text) => console.error(text));
  return speeds.flatMap(({ what, isImport, servers, milliseconds, ratio, processor, processorRatio }) => {
    const on = `${what} on ${servers} server${servers === 1 ? "" : "s"}`;
    return [
      { what: on, of: "one server", milliseconds, ratio, ...(servers === 2 && !isImport ? { goal: 1.2 } : {}) },
      { what: `its processor time`, of: "one server", milliseconds: processor, ratio: processorRatio },
    ];
  });
}
