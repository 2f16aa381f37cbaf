// Time to the first picture for stores with different numbers of series at 100 commits each: of the dashboard with cold
// and warm caches, and of a report.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { experimentStore, library } from "./report.mjs";
import { bundledPages } from "./pages.mjs";
import { exponent, interleaved } from "./measure.mjs";

/** Milliseconds. */
const goal = 1000;
const soon = 100;
const compared = 1500;

/** `most`: number of series of the largest of three stores. `command`, `perfkeep`, `environment`: from run.mjs. */
export async function dashboards(scratch, most, { command, perfkeep, environment }) {
  const [{ firstSight, openings }, made] = [await bundledPages(), await library()];
  const sizes = [most / 100, most / 10, most].map(Math.round);
  const found = [];
  for (const size of sizes) {
    const folder = await experimentStore(join(scratch, `dashboard-${size}`), size, made);
    rmSync(join(environment.XDG_CACHE_HOME, "perfkeep"), { recursive: true, force: true });
    const cold = await firstSight(perfkeep("serve"), folder, environment);
    if (cold === undefined) return [];
    const warm = await firstSight(perfkeep("serve"), folder, environment);
    const file = join(folder, "report.html");
    const [written] = interleaved([command("report", folder, perfkeep("report", "-q", "-o", file))], 1);
    const opened = await openings(file, 2);
    found.push({
      size,
      cold,
      warm,
      written,
      picture: Math.min(...opened.map(({ picture }) => picture)),
      compared: Math.min(...opened.map(({ compare }) => compare)),
      megabytes: statSync(file).size / 1e6,
    });
  }
  const growth = (of) => exponent(sizes, found.map(of));
  const row = (what, milliseconds, limit, more = {}) => ({
    what,
    of: `${limit / 1000} s`,
    milliseconds,
    ratio: milliseconds / limit,
    ...more,
  });
  return found.flatMap(({ size, cold, warm, written, picture, megabytes, ...more }) => [
    row(`${size} series x 100 in the dashboard, cold: first picture`, cold.picture, goal, {
      goal: 1,
      peak: cold.peak,
    }),
    row("  analysis complete", cold.judged, goal, { exponent: growth((each) => each.cold.judged) }),
    row("  p95 of other requests meanwhile", cold.slowAnswer, soon, { goal: 1 }),
    row("  warm: first picture", warm.picture, goal, {
      goal: 1,
      peak: warm.peak,
      exponent: growth((each) => each.warm.picture),
    }),
    row("  its list of series", warm.list, goal, { exponent: growth((each) => each.warm.list) }),
    row("  its comparison of two commits", warm.compare, compared, { goal: 1 }),
    row(`  report -o (${megabytes.toFixed(1)} MB)`, written, goal, { exponent: growth((each) => each.written) }),
    row("  first picture of the report", picture, goal, { goal: 1, exponent: growth((each) => each.picture) }),
    row("  comparison of two commits in the report", more.compared, compared, { goal: 1 }),
  ]);
}
