import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Ended, Playground, timeProfile } from "./program.ts";

const [fine, slow] = [
  [1, 1.01, 0.99, 1, 1.02, 0.98, 1.01],
  [4, 4.01, 3.99, 4, 4.02, 3.98, 4.01],
];

interface Measured {
  readonly amounts?: readonly number[];
  readonly machine?: string;
  readonly unit?: string;
  /** Another location than the command. */
  readonly uid?: string;
}

/** A profile of `./work`. */
function profile({ amounts = fine, machine, unit = "s", uid = "./work" }: Measured): string {
  const text = timeProfile({ amounts, ...(machine === undefined ? {} : { machine: { fingerprint: machine } }) });
  return text
    .replace('"time":"s"', `"time":${JSON.stringify(unit)}`)
    .replaceAll('"uid":"./work"', `"uid":${JSON.stringify(uid)}`);
}

/** A repository with a version for each of `measured` (null: it was not measured). */
function history(...measured: readonly (Measured | null)[]): Playground {
  const place = new Playground();
  for (const [at, one] of measured.entries()) {
    const origin = place.commit(`version ${at}`);
    if (at === 0) place.ok("init");
    if (one !== null) place.ok("add", place.write(`${at}.perf`, profile(one).replace("{", `{"origin":"${origin}",`)));
  }
  return place;
}

const ran = (place: Playground, ...words: string[]): Ended => place.run(words);

/** A file of samples for each side. */
function compared(old: readonly string[], now: readonly string[]): Ended {
  const place = new Playground();
  for (const [name, lines] of [["old.csv", old] as const, ["new.csv", now] as const])
    place.write(name, ["benchmark,value", ...lines, ""].join("\n"));
  return ran(place, "compare", "old.csv", "new.csv");
}

const samples = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name},${100 + (at % 5)}`);

const elsewhere = (): Playground => history({ machine: "a" }, { amounts: slow, machine: "b" });

/** Two profiles in files, checked. */
function pair(before: Measured, after: Measured, ...words: string[]): Ended {
  const place = new Playground();
  place.commit("version");
  place.ok("init");
  return ran(
    place,
    "check",
    "profiles",
    place.write("old.perf", profile(before)),
    place.write("new.perf", profile(after)),
    ...words,
  );
}

/** A numbered series of versions in one experiment takes long to make: profiles of one amount each do. */
const series = (count: number, noise = 0.002): Playground =>
  history(...Array.from({ length: count }, (_, at) => ({ amounts: [1 + ((at * 7) % 5) * noise] })));

/** What each row of the table in docs/verdicts.md says, done. */
const rows: Readonly<Record<string, () => Ended>> = {
  "check head: no earlier commit has a comparable profile": () => ran(history({}), "check", "head"),
  "check head: the commit has no profile": () => ran(history({}, null), "check", "head"),
  "check head: the profiles have no location in common": () =>
    ran(history({}, { uid: "other" }), "check", "head", "--method", "integral-comparison"),
  "check head: the only baseline was measured on another machine": () => ran(elsewhere(), "check", "head"),
  "check head: the amounts measure different things": () =>
    ran(history({}, { unit: "B" }), "check", "head", "--method", "aat"),
  "check head: the noise hides whether anything changed": () => ran(history({}, {}), "check", "head"),
  "check head: compared, nothing is worse": () =>
    ran(history(...Array.from({ length: 9 }, () => ({}))), "check", "head"),
  "check head: something is worse": () => ran(history({}, { amounts: slow }), "check", "head"),
  "check all: no commit has a profile": () => ran(history(null, null), "check", "all"),
  "check all: no profile has a baseline": () => ran(history({}), "check", "all"),
  "check profiles: measured on different machines": () => pair({ machine: "a" }, { machine: "b", amounts: slow }),
  "check profiles: the same with `--any-machine`, something is worse": () =>
    pair({ machine: "a" }, { machine: "b", amounts: slow }, "--any-machine"),
  "check profiles: no location in common": () => pair({}, { uid: "other" }, "--method", "integral-comparison"),
  "check profiles: the amounts measure different things": () => pair({}, { unit: "B" }, "--method", "aat"),
  "check series: nothing was measured": () => ran(history(null), "check", "series"),
  "check series: nothing was measured before the range": () =>
    ran(history(null, {}), "check", "series", "HEAD~1..HEAD"),
  "check series: too few points": () => ran(series(3), "check", "series"),
  "check series: the noise hides large changes in every series": () => ran(series(7, 0.2), "check", "series"),
  "check series: enough points, nothing changed": () => ran(series(7), "check", "series"),
  "compare: a side was not measured": () => ran(history({}, null), "compare", "HEAD~1", "HEAD"),
  "compare: a subject is on one side only": () => compared([...samples("a", 8), ...samples("b", 8)], samples("a", 8)),
  "compare: measured on different machines": () => ran(elsewhere(), "compare", "HEAD~1", "HEAD"),
  "compare: too few values": () => compared(samples("a", 2), samples("a", 2)),
  "run ab: a side cannot be run": () =>
    ran(history(null, null), "run", "ab", "HEAD~1", "HEAD", "--pairs", "1", "--", "sh", "-c", "exit 9"),
  "bisect: too few measurements to be sure (`--most-runs`)": () =>
    ran(history(null, null), "bisect", "HEAD~1", "HEAD", "--most-runs", "2", "--", "true"),
  "changepoints: always: it reports no verdict": () => {
    const place = new Playground();
    place.write(
      "levels.csv",
      `at,t\n${[5, 5, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9].map((level, at) => `${at},${level + (at % 3) / 10}`).join("\n")}\n`,
    );
    return ran(place, "changepoints", "levels.csv");
  },
  "calibrate: nothing was measured": () => ran(history(null), "calibrate"),
  "calibrate: too little history": () => ran(series(3), "calibrate"),
};

const table = readFileSync("docs/verdicts.md", "utf8").split("## Exit statuses")[1]?.split("\n## ")[0] ?? "";
const documented = [...table.matchAll(/^\| `([a-z ]+)` \| (.+) \| (\d+) \|$/gm)].map(
  ([, verb, when, status]) => [`${verb}: ${when}`, Number(status)] as const,
);

test("every row of the table of exit statuses is tried here, and no other", () => {
  expect(documented.map(([row]) => row)).toEqual(Object.keys(rows));
});

test.each(documented)("%s: %d", (row, status) => {
  const ended = (rows[row] as () => Ended)();
  expect(ended.status, ended.stdout + ended.stderr).toBe(status);
});

test.each([
  [
    "check head: no earlier commit has a comparable profile",
    "no baseline: no earlier commit has a comparable profile; measure one: perfkeep run matrix -m COMMIT, or run job",
  ],
  ["check head: the commit has no profile", "nothing was checked: the commit has no registered profile"],
  ["check all: no commit has a profile", "nothing was checked: no commit has a registered profile"],
])("%s: %s", (row, note) => {
  expect((rows[row] as () => Ended)().stderr).toBe(`${note}\n`);
});

test("check head names the experiments where only results were imported", () => {
  const place = history(null);
  const results = [{ command: "a", mean: 1, times: [1, 1.1], exit_codes: [0, 0] }];
  place.ok("import", place.write("r.json", JSON.stringify({ results })));
  expect(ran(place, "check", "head").stderr).toBe(
    "nothing was checked: the commit has no registered profile; " +
      "perfkeep check series --experiment hyperfine checks results\n",
  );
});

test("check profiles names the two that measure different things, and what", () => {
  const { stderr } = pair({}, { unit: "B" }, "--method", "aat");
  expect(stderr).toMatch(/profile .*new\.perf cannot be compared with .*old\.perf: .*cannot convert Byte to s/);
});

test("check head takes a profile of the same machine before a nearer one of another, and tells of unknown ones", () => {
  const place = history({ machine: "a" }, { machine: "b", amounts: slow }, { machine: "a" });
  const { status, stdout } = ran(place, "check", "head", "--format", "json");
  const [check] =
    (JSON.parse(stdout) as { versions: { checks: { baseline: { version: string } }[] }[] }).versions[0]?.checks ?? [];
  // With two profiles of its machine the noise between profiles is not known.
  expect([status, check?.baseline.version]).toEqual([3, place.git("rev-parse", "HEAD~2")]);
  expect(ran(history({}, { machine: "a" }), "check", "head").stdout).toContain(
    "the machine of one of the two profiles is unknown",
  );
});
