import { expect, test } from "vitest";
import { valgrindFrame } from "./valgrind-frame.ts";

test.each([
  ["0x10918E: push (heap.c:7)", "push", "heap.c", 7],
  ["0x10918E: push (/home/a (b)/heap.c:7)", "push", "/home/a (b)/heap.c", 7],
  ["0x1: List<Node>::push() (objects.cpp:6)", "List<Node>::push()", "objects.cpp", 6],
  ["0x1: apply(int (*)(int)) (a.cpp:6)", "apply(int (*)(int))", "a.cpp", 6],
  ["0x1: apply(int (*)(int))", "apply(int (*)(int))", "unreachable", 0],
  ["0x1: operator new(unsigned long) (in /usr/lib/valgrind/x.so)", "operator new(unsigned long)", "unreachable", 0],
  ["0x1: malloc (in /usr/lib/x (old).so)", "malloc", "unreachable", 0],
  ["0x1: ???", "?", "unreachable", 0],
  ["0x1: ??? (in /bin/a)", "?", "unreachable", 0],
  ["0x1: main", "main", "unreachable", 0],
  ["[root]", "[root]", "unreachable", 0],
  ["", "", "unreachable", 0],
])("%j", (text, name, source, line) => {
  expect(valgrindFrame(text)).toEqual({ function: name, source, line });
});
