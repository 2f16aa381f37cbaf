import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MeasuredPrograms, type Document, type Row } from "../../../test/programs/measured-programs.ts";
import { have } from "../../../test/programs/scratch-shell.ts";
import { heapEngines } from "./memory.ts";

const programs = new MeasuredPrograms();
const source = readFileSync("test/samples/heap-profilers/heap.c", "utf8");

/** Sums of a column by innermost function and line. */
function sums(
  { resources, resource_type_map }: Document,
  column: string,
  chosen: (row: Properties) => boolean = () => true,
): object {
  const found: Record<string, number> = {};
  for (const [id, columns] of Object.entries(resources)) {
    const row = resource_type_map[id]!;
    if (!chosen(row)) continue;
    const { function: name, line } = row["uid"] as Row["uid"];
    found[`${name}:${line}`] = (found[`${name}:${line}`] ?? 0) + (columns[column]?.[0] ?? 0);
  }
  return found;
}

type Properties = Readonly<Record<string, unknown>>;

const measured = (engine: string): Promise<Document> => programs.document(programs.build("heap", source), { engine });

describe.runIf(have("cc") && have("valgrind"))("valgrind (needs cc and valgrind)", () => {
  test("dhat counts every byte and block", async () => {
    const document = await measured("dhat");
    expect(sums(document, "amount")).toEqual({ "push:7": 32_000, "main:19": 3000, "main:22": 3000 });
    expect(sums(document, "at-end")).toEqual({ "push:7": 3200, "main:19": 0, "main:22": 0 });
  });

  test("massif reports the exact peak and its location", async () => {
    const document = await measured("massif");
    const { resources, resource_type_map } = document;
    const totals = Object.keys(resources).filter((id) => resource_type_map[id]!["subtype"] === "total");
    const peak = totals.reduce(
      (most, id) => (resources[id]!["amount"]![0]! > resources[most]!["amount"]![0]! ? id : most),
      totals[0]!,
    );
    expect(resources[peak]!["amount"]).toEqual([34_300]);
    const { snapshot } = resource_type_map[peak]!;
    expect(sums(document, "amount", (row) => row["snapshot"] === snapshot && row["subtype"] === "heap")).toEqual({
      "push:7": 32_000,
      "twice:13": 2000,
      "main:22": 300,
    });
  });

  test.runIf(have("c++"))("new is a row at the program's source line (needs c++)", async () => {
    const cmd = programs.build(
      "objects",
      `struct Node { Node *next; char load[24]; };
template <class T> struct List {
  T *first = nullptr;
  void push() { first = new T{first, {}}; }
};
int main() {
  List<Node> list;
  for (int i = 0; i < 500; i++) list.push();
  return list.first == nullptr;
}
`,
      "c++",
    );
    const rows = await programs.rows(cmd, { engine: "dhat" });
    expect(
      rows.filter((row) => row.uid.source === "objects.cpp").map(({ call, amount, trace }) => [call, amount, trace]),
    ).toEqual([["operator new(unsigned long)", 16_000, "List<Node>::push():4 main:8"]]);
  });

  test("children are separate processes, and the exit status is kept", async () => {
    const inner = programs.build("inner", `#include <stdlib.h>\nint main(void) {\n  return malloc(7) == 0;\n}\n`);
    const cmd = programs.build(
      "starts",
      `#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  if (!malloc(5)) return 1;
  if (fork() == 0) return execl("${inner}", "${inner}", (char *)0);
  wait(NULL);
  return 3;
}
`,
    );
    const rows = await programs.rows(cmd, { engine: "dhat", "allow-failure": true });
    const own = rows.filter((row) => /^(inner|starts)/.test(row.uid.source));
    expect(own.map(({ amount, uid, process }) => [amount, uid.source, process])).toEqual([
      [5, "starts.c", 1],
      [7, "inner.c", 2],
    ]);
    await expect(programs.rows("false", { engine: "dhat" })).rejects.toThrow("exited with status 1");
  });

  test("applies filters and reports a missing program", async () => {
    const cmd = programs.build("heap", source);
    const all = await programs.rows(cmd, { engine: "dhat", "no-func": "main", "no-source": "other.c", all: true });
    expect(all.map((row) => [row.call, row.trace])).toEqual([
      ["malloc", expect.stringMatching(/^malloc:0 push:7 main:18/)],
    ]);
    await expect(programs.rows("./nothing", { engine: "dhat" })).rejects.toThrow("cannot run './nothing'");
  });
});

describe.runIf(have("cc") && have("heaptrack") && have("zstd"))("heaptrack (needs cc, heaptrack and zstd)", () => {
  test("counts every byte and block, also at the peak", async () => {
    const document = await measured("heaptrack");
    expect(sums(document, "amount")).toEqual({ "push:7": 32_000, "main:19": 1000, "twice:13": 2000, "main:22": 3000 });
    expect(sums(document, "at-peak")).toEqual({ "push:7": 32_000, "main:19": 0, "twice:13": 2000, "main:22": 300 });
  });
});

test("escapes percent signs in folders for valgrind", () => {
  expect(heapEngines["massif"]!.argv("/tmp/100%p", ["a", "b"])).toEqual(
    expect.arrayContaining(["--massif-out-file=/tmp/100%%p/report.%p", "a", "b"]),
  );
});
