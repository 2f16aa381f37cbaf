import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { Playground } from "./program.ts";

/**
 * Descriptions under examples/, what they are called, the samples they read, and one answer known from the samples' own
 * text.
 */
const cases = [
  {
    folder: "openssl-speed",
    description: "openssl-speed",
    experiment: "openssl_speed",
    samples: "openssl-speed/aes-128-gcm-1.txt",
    rows: 6,
    first: { algorithm: "AES-128-GCM", release: "3.0.19", S_block: 16, N_block: 2085473, T_run: 1 },
  },
  {
    folder: "sysbench",
    description: "memory",
    experiment: "sysbench_memory",
    samples: "sysbench/memory-1K-1-threads-1.txt",
    rows: 1,
    first: {
      release: "1.0.20",
      N_thread: 1,
      S_block: 1024,
      operation: "write",
      B_mem: 7560.05,
      N_op: 7751442,
      L_max: 3.79,
    },
  },
  {
    folder: "fio",
    description: "fio",
    experiment: "fio",
    samples: "fio/randread-4k-1.txt",
    rows: 1,
    first: { release: "fio-3.33", mode: "randread", S_block: 4096, B_io: 54.6, T_run: 1.001 },
  },
];

/** The rows of an answer with the names of its columns. */
function records(place: Playground, ...words: string[]): Record<string, unknown>[] {
  const { columns, rows } = JSON.parse(place.ok(...words, "--format", "json")) as {
    columns: { name: string }[];
    rows: unknown[][];
  };
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column.name, row[at]])));
}

test.each(cases)(
  "examples/$folder reads the recorded output",
  ({ folder, description, experiment, samples, rows, first }) => {
    const place = new Playground();
    const example = resolve("examples", folder, description);
    place.ok("init");
    place.ok("experiment", "create", `${example}.exp`);
    place.ok("import", "-e", experiment, "-d", `${example}.inp`, resolve("test/samples", samples));
    const answer = records(place, "query", experiment, "--sort", "S_block");
    expect(answer).toHaveLength(rows);
    expect(answer[0]).toEqual(first);
  },
);

test("all recorded outputs of openssl speed are read alike", () => {
  const place = new Playground();
  const example = resolve("examples/openssl-speed/openssl-speed");
  const samples = readdirSync("test/samples/openssl-speed").filter((name) => name.endsWith(".txt"));
  place.ok("init");
  place.ok("experiment", "create", `${example}.exp`);
  place.ok(
    "import",
    "-e",
    "openssl_speed",
    "-d",
    `${example}.inp`,
    ...samples.map((name) => resolve("test/samples/openssl-speed", name)),
  );
  const rows = records(place, "query", "openssl_speed", "N_block", "--by", "algorithm,S_block", "--stat", "count");
  expect(rows).toHaveLength(18);
  expect(rows.every((row) => row["N_block.count"] === 5)).toBe(true);
});
