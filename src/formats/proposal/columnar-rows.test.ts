import { expect, test } from "vitest";
import { formatUnit } from "../../core/values/index.ts";
import { printInput } from "../descriptions/input/input-print.ts";
import { proposeDescription, type Proposal } from "./propose.ts";
import { sampleLines } from "./sample.ts";

function propose(...lines: readonly string[]): Proposal {
  const sample = { name: "out.txt", lines: sampleLines(lines.join("\n")) };
  return proposeDescription([sample], { name: "sample", file: "sample.inp" });
}

const cellsOf = ({ rules }: Proposal): Record<string, string[]> =>
  Object.fromEntries(rules.map(({ variable, cells }) => [variable.name, cells.map(({ text }) => text)]));

test("the last column of a listing has any number of words (ps aux)", () => {
  const proposal = propose(
    "USER  PID %CPU  RSS STAT START COMMAND",
    "root    1  0.4 1696 S    09:59 /sbin/init --port 2024 --size 32768",
    "root   15  0.2    0 I    09:59 [rcu_preempt]",
    "ann   859 12.5 9120 R+   10:02 ./solve -n 4 input=8.txt",
    "ann   860 13.0 9444 R+   10:02 ./solve -n 4 input=9.txt",
  );
  expect(cellsOf(proposal)).toEqual({
    USER: ["root", "root", "ann", "ann"],
    PID: ["1", "15", "859", "860"],
    percent_CPU: ["0.4", "0.2", "12.5", "13.0"],
    RSS: ["1696", "0", "9120", "9444"],
    STAT: ["S", "I", "R+", "R+"],
    START: ["09:59", "09:59", "10:02", "10:02"],
    COMMAND: [
      "/sbin/init --port 2024 --size 32768",
      "[rcu_preempt]",
      "./solve -n 4 input=8.txt",
      "./solve -n 4 input=9.txt",
    ],
  });
  expect(printInput(proposal.description)).toMatch(/^TABLE COMMAND .* pos=7 len=0$/m);
});

test("a listing without a heading is a table, and its dates are no numbers (ls -l)", () => {
  const proposal = propose(
    "total 24",
    "-rw-r--r-- 1 ann users 3816 Dec  1 13:57 README.md",
    "drwxr-xr-x 2 ann users 4096 Nov 30 09:12 my runs",
    "-rw-r--r-- 1 ann users  710 Dec  1 13:57 a.out",
  );
  expect(cellsOf(proposal)).toMatchObject({
    value: ["1", "2", "1"],
    value_2: ["3816", "4096", "710"],
    label_4: ["README.md", "my runs", "a.out"],
    total: ["24"],
  });
});

test("sizes with prefixes before paths are bytes in powers of 1024 (du -h)", () => {
  const proposal = propose("40K\t./docs/adr", "1.3M\t./docs/gallery", "2.2G\t./docs");
  expect(cellsOf(proposal)).toEqual({
    size: ["40K", "1.3M", "2.2G"],
    label: ["./docs/adr", "./docs/gallery", "./docs"],
  });
  expect(formatUnit(proposal.experiment.variables.find(({ name }) => name === "size")?.unit)).toBe("Byte");
  expect(printInput(proposal.description)).toMatch(/^TABLE size .* prefixes="?binary"?$/m);
});
