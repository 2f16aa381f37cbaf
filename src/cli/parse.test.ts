import { describe, expect, it } from "vitest";
import { isFailure } from "../core/failures/failure.ts";
import type { Arguments } from "./arguments.ts";
import { runVerb, verbFirst } from "./parse.ts";
import type { Session } from "./session.ts";
import type { Verb } from "./verb.ts";

/** Runs a verb and returns its arguments and output. */
async function parsed(
  verb: Omit<Verb, "run" | "name" | "summary">,
  words: readonly string[],
): Promise<{ args: Arguments; printed: string }> {
  let args: Arguments | undefined;
  let printed = "";
  const session = {
    output: { data: (text: string) => void (printed += text) },
    configured: () => session,
  } as unknown as Session;
  const whole: Verb = {
    name: "try",
    summary: "tries",
    ...verb,
    run: (_, given) => ((args = given), Promise.resolve(0)),
  };
  await runVerb("perfkeep", whole, words, session);
  return { args: args as Arguments, printed };
}

describe("runVerb", () => {
  it("reads operands, switches, values and repeated values", async () => {
    const options = [
      { flags: "-m, --minor <rev>", synopsis: "" },
      { flags: "-f, --force", synopsis: "" },
      { flags: "-w, --workload <w>", synopsis: "", repeat: true },
    ];
    const { args } = await parsed(
      {
        operands: [
          { name: "<a>", synopsis: "" },
          { name: "[rest...]", synopsis: "" },
        ],
        options,
      },
      ["x", "y", "z", "-f", "-m", "HEAD", "-w", "1", "-w", "2"],
    );
    expect([args.operand(0), args.rest(1), args.flag("force"), args.text("minor"), args.texts("workload")]).toEqual([
      "x",
      ["y", "z"],
      true,
      "HEAD",
      ["1", "2"],
    ]);
  });

  it("accepts undocumented spellings, but not after --", async () => {
    const verb = {
      operands: [{ name: "[words...]", synopsis: "" }],
      options: [{ flags: "--sort-by <key>", synopsis: "", also: ["-sb", "--sortby"] }],
    };
    expect((await parsed(verb, ["-sb", "time"])).args.text("sortBy")).toBe("time");
    expect((await parsed(verb, ["--sortby=time"])).args.text("sortBy")).toBe("time");
    expect((await parsed(verb, ["--", "-sb"])).args.rest(0)).toEqual(["-sb"]);
  });

  it("reads pairs of words", async () => {
    const verb = { options: [{ flags: "--param <words>", synopsis: "", words: 2 as const }] };
    expect((await parsed(verb, ["--param", "a", "1", "--param", "b", "2"])).args.pairs("param")).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  it("prints help as data", async () => {
    expect((await parsed({ options: [] }, ["--help"])).printed).toContain("Usage: perfkeep try");
  });

  it.each([[["--nope"]], [["too", "many"]], [["--minor"]]])("rejects %j with one line", async (words) => {
    const failure = await parsed({ options: [{ flags: "--minor <rev>", synopsis: "" }] }, words).catch(
      (error: unknown) => error,
    );
    expect(isFailure(failure, "bad-usage")).toBe(true);
    expect((failure as Error).message).not.toContain("\n");
  });
});

it("names the choices of an option with an unknown value", async () => {
  const options = [{ flags: "-f, --form <name>", synopsis: "", choices: ["text", "json"] }];
  await expect(parsed({ options }, ["--form", "it's"])).rejects.toThrow(
    "option --form: unknown value 'it's', choose from text, json",
  );
});

describe("verbFirst", () => {
  it.each([
    [
      ["status", "-q"],
      ["status", "-q"],
    ],
    [
      ["-q", "--no-pager", "status", "-s"],
      ["status", "-s", "-q", "--no-pager"],
    ],
    [
      ["--color", "never", "log"],
      ["log", "--color", "never"],
    ],
    [
      ["--color=never", "log"],
      ["log", "--color=never"],
    ],
    [
      ["-q", "--color", "never", "collect", "time", "--", "echo", "-q", "--", "x"],
      ["collect", "time", "-q", "--color", "never", "--", "echo", "-q", "--", "x"],
    ],
    [["--version"], ["--version"]],
    [
      ["-x", "status"],
      ["-x", "status"],
    ],
    [[], []],
  ])("%j becomes %j", (words, moved) => {
    expect(verbFirst(words)).toEqual(moved);
  });
});
