import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteCommand, shellCommand, splitCommand, splitPipeline } from "./command-line.ts";
import { Failure } from "../failures/failure.ts";

test.each([
  ["", []],
  ["  ./bench  -n 10\t--fast\n", ["./bench", "-n", "10", "--fast"]],
  [`run 'two words' "and \\"three\\" \\\\ \\n"`, ["run", "two words", `and "three" \\ \\n`]],
  [`a\\ b c\\'d`, ["a b", "c'd"]],
  [`pre'fix'"ed"`, ["prefixed"]],
  [`x '' ""`, ["x", "", ""]],
  [
    "echo $HOME `id` $(id) ; rm * ~ > f & a|b",
    ["echo", "$HOME", "`id`", "$(id)", ";", "rm", "*", "~", ">", "f", "&", "a|b"],
  ],
])("splits %j", (text, words) => {
  expect(splitCommand(text)).toEqual(words);
});

test.each(["echo 'open", 'echo "open', "echo \\", "a\0b", 'x "\\'])("refuses %j", (text) => {
  expect(() => splitCommand(text)).toThrow(Failure);
});

test("a pipe is a separate unquoted word", () => {
  expect(splitPipeline("make gen | tee '|' log | wc -l")).toEqual([
    ["make", "gen"],
    ["tee", "|", "log"],
    ["wc", "-l"],
  ]);
  expect(() => splitPipeline("a | | b")).toThrow("a command is empty");
  expect(() => splitPipeline("")).toThrow(Failure);
});

test("splitCommand inverts quoteCommand", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }).map((word) => word.replaceAll("\0", ""))), (words) => {
      expect(splitCommand(quoteCommand(words))).toEqual(words);
    }),
  );
});

test("shellCommand round-trips through a shell", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom(..."a-=/.$`;&>*?~#!(){}[]'\"\\ \t\n|é") }), { minLength: 1 }),
      (words) => {
        expect(splitCommand(shellCommand(words))).toEqual(words);
      },
    ),
  );
  expect(shellCommand(["bench", "-s", "4096", "--op=write", "$(id)", "a;b", "~", "#x", "=ls", "{a,b}"])).toBe(
    "bench -s 4096 --op=write '$(id)' 'a;b' '~' '#x' '=ls' '{a,b}'",
  );
  const words = ["a b", "$HOME", "`id`", "*", "it's", "\\", "!", "~", "=x", "a{1,2}", "<>", "\n", ""];
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${shellCommand(words)}`], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
});

test("any text yields words or a Failure, in linear time", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("'", '"', "\\", " ", "a", "|", "\n"), { maxLength: 40 }), (pieces) => {
      try {
        splitCommand(pieces.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
  );
  expect(splitCommand(`"${"\\a".repeat(200_000)}"`)).toHaveLength(1);
});
