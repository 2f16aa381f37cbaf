/**
 * The acts of ledger.mjs on an experiment and the expected states. A state is plain data: synopsis, variables, runs
 * (path, rows, whether they are active) and attachments.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const experiment = "ping";

const described =
  "*experiment ping\nfirst\n*parameter size int Byte\n*parameter host string - none once\n*result time float us\n";

const input = "TABLE size pos=1\nTABLE time pos=2\n";

/** Writes the descriptions for `create` and imports. */
export function writeDescriptions(folder) {
  writeFileSync(join(folder, "ping.exp"), described);
  writeFileSync(join(folder, "ping.inp"), input);
}

export const createWords = ["experiment", "create", "ping.exp"];

/**
 * The acts by name. Each takes the current state, a folder for its files and a unique number. It returns the arguments
 * of the command and the resulting state; null if the act is not possible.
 */
export const acts = {
  import: ({ state }, folder, number) => importing(state, folder, number, [200, 3000]),
  // More rows than DuckDB buffers in memory within a transaction.
  "large import": ({ state }, folder, number) => importing(state, folder, number, [130_000]),
  update({ state }, folder, number) {
    const old = state.variables.filter((name) => name.startsWith("v")).slice(0, -1);
    const changes = [
      `*update ping`,
      `state ${number}`,
      `*add parameter v${number} int Byte 7`,
      ...old.map((name) => `*drop ${name}`),
    ];
    writeFileSync(join(folder, `u${number}.upd`), `${changes.join("\n")}\n`);
    const variables = [...state.variables.filter((name) => !old.includes(name)), `v${number}`];
    return {
      words: ["experiment", "update", `u${number}.upd`],
      after: { ...state, synopsis: `state ${number}`, variables },
    };
  },
  delete: (found) => switching(found, true, (path) => ["experiment", "delete", experiment, "--file", path, "--force"]),
  undelete: (found) =>
    switching(found, false, (_, number) => ["experiment", "undelete", experiment, "--run", String(number)]),
  attach({ state }, folder, number) {
    writeFileSync(join(folder, `i${number}.inp`), input);
    const words = ["attach", "put", experiment, `i${number}.inp`, "--name", `i${number}`];
    return { words, after: { ...state, attachments: [...state.attachments, `i${number}`].sort() } };
  },
  rebuild: ({ state }) => ({ words: ["rebuild", "experiments"], after: state }),
};

/**
 * An import that is half done in some way, by hand: what lacks, and the statement that takes it away from the database.
 */
export const halves = {
  "a run of two": () => "delete from run where number = (select max(number) from run)",
  "a row": (data) => `delete from ${data} where ordinal = 5 and run = (select max(number) from run)`,
  "a claim": () => "delete from claim where sha256 = (select max(sha256) from claim)",
};

/** An import, which stores all files of the command or none. */
function importing(state, folder, number, sizes) {
  const files = sizes.map((rows, at) => ({ path: `f${number}-${at}.txt`, rows }));
  for (const { path, rows } of files)
    writeFileSync(join(folder, path), Array.from({ length: rows }, (_, row) => `${row} ${number}.${row}\n`).join(""));
  const runs = [...state.runs, ...files.map(({ path, rows }) => ({ path, rows, isActive: true }))];
  const words = [
    "import",
    "-e",
    experiment,
    "-d",
    "ping.inp",
    "-f",
    `host=h${number}`,
    ...files.map(({ path }) => path),
  ];
  return { words, after: { ...state, runs } };
}

function switching({ state, numbers }, isActive, wordsFor) {
  const at = state.runs.findIndex((run) => run.isActive === isActive);
  const run = state.runs[at];
  if (run === undefined) return null;
  return {
    words: wordsFor(run.path, numbers[at]),
    after: { ...state, runs: state.runs.with(at, { ...run, isActive: !isActive }) },
  };
}
