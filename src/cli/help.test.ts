import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { helpText, maxShownOptions } from "./help.ts";
import { Output, type Streams } from "./output.ts";
import { optionsOf, runVerb } from "./parse.ts";
import { Session } from "./session.ts";
import type { Verb } from "./verb.ts";
import { verbs } from "./verbs.ts";

const long = `It is printed ${"so ".repeat(30)}in`;

test("joins lines of prose, but not labelled lines or ends of paragraphs", () => {
  const text = `${long}\ntwo lines.\nStatistics: mean.\nConditions: a=b.\nThat is all.`;
  expect(helpText(text, 1000).split("\n")).toEqual([
    `${long} two lines.`,
    "Statistics: mean.",
    "Conditions: a=b.",
    "That is all.",
  ]);
  expect(helpText("one two three four", 9)).toBe("one two\nthree\nfour");
  expect(helpText("a\n\n\nb", 80)).toBe("a\n\nb");
});

test("never wraps examples", () => {
  const examples = `Examples: perfkeep export ${"x".repeat(90)} y\n          perfkeep query ${"z ".repeat(60)}end`;
  expect(helpText(`Prose.\n\n${examples}`, 40)).toBe(`Prose.\n\n${examples}`);
  expect(helpText(`Example: a ${long}\nExample: b`, 40)).toBe(`Example: a ${long}\nExample: b`);
});

test("puts a word wider than the terminal on its own line", () => {
  expect(helpText("an extraordinarily long one", 5)).toBe("an\nextraordinarily\nlong\none");
});

const world = { directory: "/nonexistent", environment: {}, now: () => 0, random: () => 0, command: "" };

function openSession(): { session: Session; printed: () => string } {
  const stdout = Object.assign(new PassThrough(), { fd: -1, isTTY: true, columns: 200 });
  const session = new Session(world, { stdout, stderr: stdout } as unknown as Streams);
  session.output = new Output(session.streams, { ...session.output.options });
  return { session, printed: () => String(stdout.read() ?? "") };
}

/** The help of a verb or subverb, as the words after its top-level verb request it. */
async function helpOf(verb: Verb, words: readonly string[]): Promise<string> {
  const { session, printed } = openSession();
  await runVerb("perfkeep", { ...verb, arrange: (given) => given }, words, session);
  return printed();
}

/** The long flags that help lists. */
function listedOptions(help: string): string[] {
  const [, options = ""] = /^Options:\n((?: .*\n?)+)/m.exec(help) ?? [];
  return [...options.matchAll(/^ {2}(?:-\w, )?(--?[\w-]+)/gm)].map(([, flag = ""]) => flag);
}

/** Every verb and subverb that can be run, with the words that lead to it. */
function runnable(verb: Verb, words: readonly string[] = []): { verb: Verb; words: readonly string[] }[] {
  const below = (verb.subverbs ?? []).flatMap((sub) => runnable(sub, [...words, sub.name]));
  return verb.run ? [{ verb, words }, ...below] : below;
}

const flagOf = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

describe.each(verbs.map(({ name }) => name))("help of %s", (name) => {
  test(`lists at most ${maxShownOptions} options, and all with --all`, async () => {
    const top = await verbs.find((lazy) => lazy.name === name)!.load(openSession().session, []);
    for (const { verb, words } of runnable(top)) {
      const all = optionsOf(verb);
      const usual = await helpOf(top, [...words, "--help"]);
      const complete = await helpOf(top, [...words, "--help", "--all"]);
      const hidden = all.length + 1 - listedOptions(usual).length;
      expect(listedOptions(usual).length).toBeLessThanOrEqual(maxShownOptions);
      expect(listedOptions(complete)).toEqual([...all.map(({ flags }) => flagOf(flags)), "--help"]);
      const command = ["perfkeep", name, ...words].join(" ");
      expect(usual.includes(`${hidden} more option`)).toBe(hidden > 0);
      expect(usual.includes(`more options: ${command} --help --all\n`)).toBe(hidden > 1);
      expect(complete).not.toMatch(/more options?: /);
      for (const { flags } of verb.hiddenOptions ?? []) expect(complete).not.toContain(` ${flags} `);
      const unmarked = all.filter(({ advanced }) => advanced !== true);
      // Options of plug-ins have no marks.
      if (name !== "postprocessby" && hidden > 0) expect([...words, unmarked.length < maxShownOptions]).toContain(true);
    }
  });
});
