import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { noServer, startServer } from "../servers/postgres-server.ts";
import { isAsShown, stepsIn } from "./console-blocks.ts";
import { follow } from "./followed-document.ts";

const folder = "docs/tutorials";
const tutorials = readdirSync(folder).filter((name) => name.endsWith(".md"));

const onServer = "share-results.md";

test.each(tutorials.filter((name) => name !== onServer))(
  "docs/tutorials/%s does what it shows",
  (name) => void follow(`${folder}/${name}`),
);

test.skipIf(noServer)(
  `docs/tutorials/${onServer} does what it shows${noServer === undefined ? "" : ` (skipped: ${noServer})`}`,
  async () => {
    const server = await startServer();
    try {
      const database = await server.makeDatabase();
      await server.run("postgres", "create role bob login", "create role benchmarkers");
      const instead = { "postgres://ada@db.example.org/bench": database };
      follow(`${folder}/${onServer}`, { instead, environment: { PGPASSWORD: server.password } });
    } finally {
      await server.stop();
    }
  },
);

test.each(tutorials)("docs/tutorials/%s shows nothing that is not tried, and names its files", (name) => {
  const text = readFileSync(`${folder}/${name}`, "utf8");
  const fences = [...text.matchAll(/^```(\w.*)?\n[\s\S]*?^```$/gm)].map(([, info = ""]) => info);
  expect(fences.filter((info) => info !== "console" && !/^\w+ \S+$/.test(info))).toEqual([]);
  expect(text.replaceAll(/^```[\s\S]*?^```$/gm, "")).not.toMatch(/^(?: {4}|\t)\S/m);
  const files = [...text.matchAll(/^```\w+ (\S+)$/gm)];
  expect(
    files.filter(({ 1: path, index }) => !text.slice(0, index).includes(`\`${path}\``)).map(([, path]) => path),
  ).toEqual([]);
});

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
