import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isAsShown, stepsIn } from "./console-blocks.ts";
import { follow } from "./followed-document.ts";

const folder = "docs/tutorials";
const tutorials = readdirSync(folder).filter((name) => name.endsWith(".md"));

test.each(tutorials)("docs/tutorials/%s does what it shows", (name) => void follow(`${folder}/${name}`));

test("what is not as shown is found", () => {
  expect(isAsShown("a 12 b\nx\ny\nend\n", "a … b\n…\nend\n")).toBe(true);
  expect(isAsShown("a 12 c\n", "a … b\n")).toBe(false);
  expect(isAsShown("a\nb\n", "a\n")).toBe(false);
  expect(stepsIn("```console\n$ a \\\n> b\nout\n$ c\n```\n```sh x.sh\n1\n```\n")).toEqual([
    { kind: "command", line: 1, command: "a \\\nb\n", shown: "out\n" },
    { kind: "command", line: 1, command: "c\n", shown: "" },
    { kind: "file", path: "x.sh", content: "1\n" },
  ]);
});
