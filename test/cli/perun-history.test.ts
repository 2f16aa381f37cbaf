import { expect, test } from "vitest";
import { Playground } from "./program.ts";

/** A profile of one function, as the collectors of Perun and perfkeep write it. */
function profileBy(collector: string, uid: object | string, amounts: readonly number[]): string {
  const type = collector === "memory" ? "memory" : "time";
  return JSON.stringify({
    header: { type, cmd: "./work", workload: "", units: { [type]: type === "memory" ? "B" : "sample" } },
    collector_info: { name: collector, params: {} },
    postprocessors: [],
    resources: amounts.map((amount) => ({ amount, type, subtype: "malloc", uid, trace: [uid] })),
  });
}

interface Checked {
  readonly changes: readonly { readonly location: string; readonly result: string }[];
}

function checked(project: Playground, before: string, after: string): unknown {
  project.write("before.perf", before);
  project.write("after.perf", after);
  const words = ["check", "profiles", "before.perf", "after.perf", "--method", "average_amount_threshold"];
  const { changes } = JSON.parse(project.run([...words, "--format", "json"]).stdout) as Checked;
  return changes.map(({ location, result }) => [location, result]);
}

test("memory of Perun, with absolute paths of any checkout, is compared with ours, with relative ones", () => {
  const project = new Playground();
  project.commit("Begin");
  project.ok("init");
  project.write("src/m.c", "int main() {}\n");
  const at = (source: string): object => ({ function: "deep", source, line: 2 });
  const ours = profileBy("memory", at("src/m.c"), [300, 100]);
  const expected = [["src/m.c:deep:2", "Degradation"]];
  expect(checked(project, profileBy("memory", at(`${project.folder}/src/m.c`), [100]), ours)).toEqual(expected);
  expect(checked(project, profileBy("memory", at("/home/ada/src/m.c"), [100]), ours)).toEqual(expected);
  // A source outside of the project stays as it is.
  expect(checked(project, profileBy("memory", at("/usr/include/src/m.c"), [100]), ours)).toEqual([]);
});

test("profiles of kperf, Perun's name of the collector perf, go on with those of perf", () => {
  const project = new Playground();
  const [kperf, perf] = [profileBy("kperf", "main", [10]), profileBy("perf", "main", [30])];
  expect(checked(project, kperf, perf)).toEqual([["main", "Degradation"]]);
  project.commit("Begin");
  project.ok("init");
  project.write("a.perf", kperf);
  project.ok("add", "--force", "--keep-profile", "a.perf");
  project.commit("Next");
  project.write("b.perf", perf);
  project.ok("add", "--force", "--keep-profile", "b.perf");
  const { stdout } = project.run(["check", "head", "--method", "average_amount_threshold"]);
  expect(stdout).toContain("└ worse: time ");
});
