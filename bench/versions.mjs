// `npm run bench -- versions --against DIR/dist/cli.js`: imports by the built program and by another build of it in
// alternating rounds; the ratio shows what a change costs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  history,
  listingExperiment,
  listingInputs,
  tableExperiment,
  tableInputs,
  writeListing,
  writeTable,
} from "./fixtures.mjs";
import { interleaved, peakMemory } from "./measure.mjs";

const rounds = 9;

/** The path after `--against`. */
function otherBuild() {
  const at = process.argv.indexOf("--against");
  const path = at < 0 ? undefined : process.argv[at + 1];
  if (path !== undefined && existsSync(path)) return path;
  throw new Error("versions needs --against PATH, the dist/cli.js of another build");
}

/** `importOf` makes the command that imports `data.txt` in a folder with a program. */
export function versions(scratch, perfkeep, importOf) {
  const other = otherBuild();
  const program = (...words) => [process.execPath, other, ...words];
  const inputs = [
    {
      name: "102581 lines",
      write: (file) => writeListing(file, 2011),
      experiment: listingExperiment,
      by: listingInputs,
    },
    {
      name: "1000000 rows",
      write: (file) => writeTable(file, 1_000_000),
      experiment: tableExperiment,
      by: tableInputs,
    },
  ];
  return inputs.flatMap(({ name, write, experiment, by }) =>
    Object.entries(by).map(([rule, input]) => {
      const [own, old] = [perfkeep, program].map((each, at) => {
        const folder = join(scratch, `versions-${name.replace(" ", "-")}-${rule}-${at}`);
        history(folder, 1);
        write(join(folder, "data.txt"));
        return importOf(`import ${name}, ${rule}`, folder, experiment, input, each);
      });
      const [before, milliseconds] = interleaved([old, own], rounds);
      const peak = peakMemory(own, scratch);
      return { what: own.name, of: "the other build", milliseconds, ratio: milliseconds / before, goal: 1.05, peak };
    }),
  );
}
