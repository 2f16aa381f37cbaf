import { build } from "esbuild";
import { join } from "node:path";
import { root } from "../scripts/prepare.mjs";
import { exponent } from "./measure.mjs";

/** Series of 500 points built and judged, and what one more point in one of them costs then; in processor time, as it is all computing. */
export async function seriesChecks(scratch) {
  const outfile = join(scratch, "series-speed.mjs");
  await build({ entryPoints: [join(root, "bench/series-speed.ts")], bundle: true, platform: "node", format: "esm", outfile });
  const { seriesSpeeds } = await import(outfile);
  const sizes = [1000, 3000, 10_000];
  const speeds = seriesSpeeds(join(scratch, "series"), sizes);
  const growth = exponent(
    sizes,
    speeds.map(({ all }) => all),
  );
  return speeds.flatMap(({ series, all, oneMore }) => [
    { what: `check ${series} series x 500`, of: "10 s", milliseconds: all, ratio: all / 10_000, goal: 1, exponent: growth },
    { what: `one point more in one of ${series}`, of: "all from scratch", milliseconds: oneMore, ratio: oneMore / all },
  ]);
}
