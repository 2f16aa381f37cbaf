// Time to the first picture of a report, and to the list of all series, by the number of series.
import { statSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundle.mjs";
import { exponent } from "./measure.mjs";

const sizes = [1000, 10_000, 100_000];

/** pages.ts, bundled. */
export async function bundledPages() {
  const define = {
    "import.meta.url": JSON.stringify(new URL("../test/browser/fake/report-file.ts", import.meta.url).href),
  };
  return bundled("bench/pages.ts", define);
}

export async function firstPictures(scratch) {
  const { openings, writeReportFile } = await bundledPages();
  const rows = [];
  for (const series of sizes) {
    const file = join(scratch, `report-${series}.html`);
    await writeReportFile(file, { series, points: 100, hostile: false, live: false });
    const found = await openings(file, 3);
    if (found === undefined) return [];
    const best = (name) => Math.min(...found.map((each) => each[name]));
    rows.push({ series, size: statSync(file).size / 1e6, picture: best("picture"), list: best("list") });
  }
  const growth = (name) =>
    exponent(
      sizes,
      rows.map((row) => row[name]),
    );
  return rows.flatMap(({ series, size, picture, list }) => [
    {
      what: `first picture of a report, ${series} series x 100 (${size.toFixed(0)} MB)`,
      of: "1 s",
      milliseconds: picture,
      ratio: picture / 1000,
      goal: 1,
      exponent: growth("picture"),
    },
    { what: `its list of series`, of: "1 s", milliseconds: list, ratio: list / 1000, exponent: growth("list") },
  ]);
}
