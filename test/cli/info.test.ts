import { beforeAll, expect, it } from "vitest";
import { Playground } from "./program.ts";

const place = new Playground();

beforeAll(() => {
  place.commit("one");
  place.ok("init");
  place.write(
    "net.exp",
    "*experiment net\n*parameter host string - once\n*parameter " +
      "day date - once\n*result T_lat float us\n*result N_all int\n",
  );
  place.write("net.inp", "NAMED host\nNAMED day\nNAMED T_lat\nNAMED N_all\n");
  for (const n of [1, 2]) place.write(`${n}.out`, `host: node${n}\nday: 2004-11-23\nT_lat: ${n}.5\nN_all: ${n}\n`);
  place.ok("experiment", "create", "net.exp");
  place.ok("import", "-e", "net", "-d", "net.inp", "1.out", "2.out");
  place.ok("import", "-e", "net", "-d", "net.inp", "--pset-store", "seven", "1.out");
  place.ok("attach", "put", "net", "net.inp", "--name", "how");
});

it("shows chosen variables and runs", () => {
  const found = place.json("experiment", "info", "net", "--value", "^[TN]_", "--run", "2") as {
    experiment: { variables: { name: string }[] };
    runs: { number: number }[];
  };
  expect(found.experiment.variables.map(({ name }) => name)).toEqual(["T_lat", "N_all"]);
  expect(found.runs.map(({ number }) => number)).toEqual([2]);
  expect(place.run(["experiment", "info", "net", "--run", "3"]).stderr).toContain("[unknown-run]");
  expect(place.run(["experiment", "info", "net", "--value", "("]).stderr).toContain("[pattern-error]");
});

it("shows what is kept with the experiment", () => {
  expect(place.json("experiment", "info", "net", "--pset", "seven")).toMatchObject({
    attachments: [{ name: "how", kind: "input" }],
    parameterSets: ["seven"],
    values: { host: "node1", day: "2004-11-23" },
  });
  const text = place.ok("experiment", "info", "net", "--pset", "seven", "--value", "^host$");
  expect(text).toContain("\nattachments: how (input)\n\nparameter sets: seven\n");
  expect(text).toContain("  host = node1\n");
  expect(text).toContain("  day = 2004-11-23\n");
  expect(place.run(["experiment", "info", "net", "--pset", "eight"]).stderr).toContain("[unknown-parameter-set]");
});

it("tells the contents of a run, and the general facts", () => {
  const run = place.json("experiment", "info", "net", "--run", "2", "--data", "all") as { data: unknown };
  expect(run.data).toMatchObject([
    {
      run: 2,
      once: { host: "node2", day: "2004-11-23" },
      multiple: { columns: [{ name: "T_lat", unit: "us" }, { name: "N_all" }], rows: [[2.5, 2]] },
    },
  ]);
  expect(place.run(["experiment", "info", "net", "--data", "all"]).status).toBe(2);
});
