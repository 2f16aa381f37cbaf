import { join } from "node:path";
import { bundled } from "./bundle.mjs";
import { exponent } from "./measure.mjs";

/** Numbers of series with 500 points, and of points of 500 series. */
const [counts, lengths] = [
  [1000, 3000, 10_000],
  [500, 2000, 8000],
];

/**
 * CPU time of building and checking series: from scratch, unchanged, with one changed value, and with one more commit.
 */
export async function seriesChecks(scratch) {
  const { seriesSpeeds } = await bundled("bench/series-speed.ts");
  const sizes = [
    ...counts.map((count) => [count, 500]),
    ...lengths.slice(1).map((length) => [500, length]),
    [500, 500],
  ];
  const speeds = seriesSpeeds(join(scratch, "series"), sizes);
  const grown = (of, sizesOf, speed) =>
    exponent(
      sizesOf,
      sizesOf.map((size) => speeds.find((each) => of(each, size))[speed]),
    );
  const bySeries = (speed) => grown((each, size) => each.series === size && each.points === 500, counts, speed);
  const byPoints = (speed) => grown((each, size) => each.points === size && each.series === 500, lengths, speed);
  const growth = { all: [bySeries("all"), byPoints("all")], commit: [bySeries("commit"), byPoints("commit")] };
  return speeds.flatMap(({ series, points, all, again, oneMore, commit }) => {
    const [of, at] = ["all from scratch", points === 500 ? 0 : 1];
    const size = `${series} series x ${points}`;
    return [
      { what: `check ${size}`, of: "10 s", milliseconds: all, ratio: all / 10_000, goal: 1, exponent: growth.all[at] },
      { what: `unchanged, ${size}`, of, milliseconds: again, ratio: again / all },
      { what: `one changed value, ${size}`, of, milliseconds: oneMore, ratio: oneMore / all },
      {
        what: `one more commit, ${size}`,
        of,
        milliseconds: commit,
        ratio: commit / all,
        exponent: growth.commit[at],
      },
    ];
  });
}
