import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { causeLine } from "./cause-line.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

// Node prints its version, and for thrown values a hint, after the message.
test.each([
  ["throw new TypeError('first\\nsecond')", "TypeError: first"],
  ["throw 'plain text'", "plain text"],
  ["throw Object.assign(new Error('top', { cause: new Error('inner') }), { code: 'X' })", "Error: top"],
  ["class Odd extends Error { name = 'Odd' }; throw new Odd('strange')", "Odd: strange"],
  ["require('./no-such-module')", "Error: Cannot find module './no-such-module'"],
  ["Promise.reject(new RangeError('late'))", "RangeError: late"],
  ["require('node:assert').equal(1, 2)", "AssertionError [ERR_ASSERTION]: 1 == 2"],
  ["console.error('Error: an earlier one'); console.error('disk full'); process.exit(3)", "disk full"],
  ["let let = 1", "SyntaxError: let is disallowed as a lexically bound name"],
  ["process.exit(4)", ""],
])("a Node program that runs %s", (program, cause) => {
  const { stderr, status } = spawnSync(process.execPath, ["-e", program]);
  expect(status).not.toBe(0);
  expect(causeLine(stderr)).toBe(cause);
});

// Java and Python as their manuals show them; perf as of 6.1.
test.each([
  [
    'Exception in thread "main" java.lang.IllegalStateException: outer\n\tat Main.main(Main.java:5)\n' +
      "Caused by: java.io.IOException: no space left\n\tat Main.read(Main.java:9)\n\t... 1 more\n",
    "Caused by: java.io.IOException: no space left",
  ],
  [
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: bad size\n',
    "ValueError: bad size",
  ],
  ["cannot open x\n[ perf record: Woken up 1 times to write data ]\n", "cannot open x"],
  ["Node.js v20.19.0\n", "Node.js v20.19.0"],
  ["a\n}\n", "}"],
  ["\r\n \n", ""],
])("%j", (stderr, cause) => {
  expect(causeLine(bytes(stderr))).toBe(cause);
});

test("quotes at most 200 characters", () => {
  expect(causeLine(bytes("x".repeat(1e6)))).toHaveLength(200);
});
