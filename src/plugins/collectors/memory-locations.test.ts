import { beforeAll, describe, expect, test } from "vitest";
import { canTrace, MeasuredPrograms, type Params } from "../../../test/programs/measured-programs.ts";
import { have } from "../../../test/programs/scratch-shell.ts";

const programs = new MeasuredPrograms();

describe.runIf(canTrace)("locations of allocations (need cc and addr2line)", () => {
  test("omits selected functions and sources, and includes unknown sources on request", async () => {
    const cmd = programs.build(
      "filters",
      `#include <stdio.h>
#include <stdlib.h>
static void *kept(void) { return malloc(1); }
static void *dropped(void) { return malloc(2); }
int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  return !kept() || !dropped();
}
`,
    );
    const amounts = async (params: Params): Promise<number[]> =>
      (await programs.rows(cmd, params)).map((row) => row.amount);
    expect(await amounts({})).toEqual([1, 2]);
    expect(await amounts({ "no-func": "dropped\nnothing" })).toEqual([1]);
    expect(await amounts({ "no-source": "filters.c" })).toEqual([]);
    const traces = (await programs.rows(cmd, { all: true })).map((row) => row.trace);
    expect(traces[0]).toMatch(/^kept:3 main:7 (\S+:0 )*_start:0$/);
  });

  test("a program without debug information has no rows without the option all", async () => {
    const cmd = programs.build("bare", `#include <stdlib.h>\nint main(void) { return !malloc(5); }\n`, "cc", ["-O0"]);
    expect(await programs.rows(cmd)).toEqual([]);
    expect((await programs.rows(cmd, { all: true })).map(({ amount, uid }) => [amount, uid])).toEqual([
      [5, { function: "main", source: "unreachable", line: 0 }],
    ]);
  });

  test("distinguishes a library loaded late from one that replaces it", async () => {
    for (const name of ["one", "two"])
      programs.build(`lib${name}.so`, `#include <stdlib.h>\nvoid *${name}(void) {\n  return malloc(9);\n}\n`, "cc", [
        "-g",
        "-shared",
        "-fPIC",
      ]);
    const cmd = programs.build(
      "late",
      `#include <dlfcn.h>
int main(void) {
  const char *names[] = {"one", "two"}, *paths[] = {"./libone.so", "./libtwo.so"};
  for (int i = 0; i < 2; i++) {
    void *library = dlopen(paths[i], RTLD_NOW);
    if (!library || !((void *(*)(void))dlsym(library, names[i]))()) return 1;
    dlclose(library);
  }
  return 0;
}
`,
      "cc",
      ["-g", "-ldl"],
    );
    const traces = (await programs.rows(cmd)).filter((row) => row.amount === 9).map((row) => row.trace);
    expect(traces).toEqual(["one:3 main:6", "two:3 main:6"]);
  });
});

describe.runIf(canTrace && have("c++"))("a C++ program (needs c++ and addr2line)", () => {
  let cmd: string;
  beforeAll(() => {
    cmd = programs.build(
      "objects",
      `#include <cstddef>
struct Node { Node *next; char load[24]; };
template <class T> struct List {
  T *first = nullptr;
  void push() {
    T *made = new T{first, {}};
    first = made;
  }
  ~List() { while (first) { T *next = first->next; delete first; first = next; } }
};
int main() {
  List<Node> list;
  for (int i = 0; i < 1000; i++) list.push();
  int *numbers = new int[10];
  delete[] numbers;
}
`,
      "c++",
    );
  });

  test("new and delete are rows at the program's source line, with demangled names", async () => {
    const rows = await programs.rows(cmd);
    const made = rows.filter((row) => row.call === "malloc" && row.amount === 32);
    expect(made).toHaveLength(1000);
    expect(new Set(made.map((row) => row.trace))).toEqual(new Set(["List<Node>::push():6 main:13"]));
    expect(rows.filter((row) => row.call === "free" && row.uid.function === "List<Node>::~List()")).toHaveLength(1000);
    expect(rows.filter((row) => row.amount === 40).map((row) => row.uid.line)).toEqual([14]);
  });

  test("a name alone selects all of its prototypes", async () => {
    expect((await programs.rows(cmd, { "no-func": "List<Node>::push" })).filter((row) => row.amount === 32)).toEqual(
      [],
    );
  });
});
