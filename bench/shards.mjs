import { join } from "node:path";
import { bundled } from "./bundle.mjs";

/** A large experiment on three data servers. `--rows N` sets the number of rows (default: 10 million). */
export async function shards(scratch) {
  const { shardSpeeds } = await bundled("bench/shards.ts");
  const at = process.argv.indexOf("--rows");
  const rows = at < 0 ? 10_000_000 : Number(process.argv[at + 1]);
  return shardSpeeds(join(scratch, "shards"), rows, (text) => console.error(text));
}
