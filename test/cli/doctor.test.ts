import { chmodSync, readdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Playground, scratchFolder, type Ended } from "./program.ts";

interface Answer {
  readonly passed: boolean;
  readonly requirements: readonly {
    readonly name: string;
    readonly state: string;
    readonly version: string | null;
    readonly remedy: string | null;
  }[];
}

/** A machine on whose path there are these programs only: scripts by name. */
function machine(programs: Readonly<Record<string, string>>): (...words: string[]) => Ended {
  const place = new Playground();
  const tools = new Playground(scratchFolder());
  for (const [name, script] of Object.entries(programs)) chmodSync(tools.write(name, `#!/bin/sh\n${script}\n`), 0o755);
  return (...words) => place.run(["doctor", ...words], { env: { PATH: tools.folder } });
}

const perfOf = (stderr: string, status = 0): string =>
  `case $1 in --version) echo perf version 6.9.1;; *) echo '${stderr}' >&2; exit ${status};; esac`;

function stateOf({ stdout }: Ended, name: string): string {
  const { requirements } = JSON.parse(stdout) as Answer;
  const found = requirements.find((each) => each.name === name);
  return `${found?.state} ${found?.version} ${found?.remedy}`;
}

describe("perfkeep doctor", () => {
  test("ends with 74 if git is missing or too old, and names the package", () => {
    const none = machine({})("--format", "json");
    expect(none).toMatchObject({ status: 74, stderr: "" });
    expect(stateOf(none, "git")).toBe("missing null git not found; Debian: apt install git");
    const old = machine({ git: "echo git version 2.11.0" })("--format", "json");
    expect(old.status).toBe(74);
    expect(stateOf(old, "git")).toMatch(/^limited 2\.11\.0 git 2\.30 /);
    const fine = machine({ git: "echo git version 2.47.1.windows.1" })("--format", "json");
    expect(fine.status).toBe(0);
    expect(stateOf(fine, "git")).toBe("present 2.47.1 null");
  });

  test("tells what is missing of a package, and that perfkeep's own parts are there", () => {
    const answer = machine({ git: "echo git version 2.47.1", nm: "exit 0", readelf: "exit 0", valgrind: "exit 1" })(
      "--format",
      "json",
    );
    expect(stateOf(answer, "binutils")).toBe("missing null addr2line not found; Debian: apt install binutils");
    expect(stateOf(answer, "valgrind")).toBe("present null null");
    for (const name of ["DuckDB", "resvg", "font"]) expect(stateOf(answer, name)).toBe("present null null");
    expect(stateOf(answer, "Node")).toBe(`present ${process.versions.node} null`);
  });

  test.each([
    ["counts", perfOf("1000,,instructions:u,1,100.00,,"), /^present 6\.9\.1 null$/],
    ["has no counters", perfOf("<not supported>,,instructions:u,0,100.00,,"), /^limited 6\.9\.1 no hardware counters/],
    ["may not count", perfOf("Error: access is limited", 255), /^limited 6\.9\.1 perf may not measure: .*sysctl/],
  ])("perf that %s", (_, script, expected) => {
    const answer = machine({ git: "echo git version 2.47.1", perf: script, true: "exit 0" })("--format", "json");
    expect(stateOf(answer, "perf")).toMatch(expected);
  });

  test("prints a line each, with what to do below it, and survives hostile programs", () => {
    const { status, stdout } = machine({ git: "echo git version 2.47.1", gcov: "printf '\\033[31m9.9'; exit 0" })();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^present {2}git 2\.47\.1 {2,}versions of profiles/);
    expect(stdout).toContain("missing  gnuplot");
    expect(stdout).toContain("         gnuplot not found; Debian: apt install gnuplot-nox\n");
    expect(stdout).not.toContain("\u001B");
  });

  test("runs nothing of the repository: programs of the working directory are not found", () => {
    const place = new Playground();
    place.write("kept", "");
    chmodSync(place.write("git", "#!/bin/sh\ntouch ran\n"), 0o755);
    const tools = scratchFolder();
    symlinkSync(process.execPath, `${tools}/node`);
    const answer = place.run(["doctor", "--format", "json"], { env: { PATH: `.:${tools}` } });
    expect(stateOf(answer, "git")).toMatch(/^missing/);
    expect(readdirSync(place.folder).toSorted()).toEqual(["git", "kept"]);
  });
});
