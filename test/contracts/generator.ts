import { describe, expect, test } from "vitest";
import { splitCommand } from "../../src/core/text/command-line.ts";
import { isFailure } from "../../src/core/failures/failure.ts";
import type { Values } from "../../src/core/values/value.ts";
import type { Generator, GeneratorWorld, Workload } from "../../src/plugins/generators/generator.ts";

/** A world of paper: files are kept by name, and a command makes those that the test gives. */
export interface PaperWorld extends GeneratorWorld {
  readonly written: ReadonlyMap<string, string>;
  readonly commands: readonly string[];
}

export function paperWorld(root = "/scratch", made: readonly string[] = []): PaperWorld {
  const written = new Map<string, string>();
  const commands: string[] = [];
  return {
    written,
    commands,
    write(name, pieces) {
      written.set(name, [...pieces].join(""));
      return `${root}/${name}`;
    },
    run: async (command) => void commands.push(command),
    files: (folder) => made.map((name) => ({ name, path: `${root}/${folder}/${name}` })),
  };
}

export interface GeneratorCase {
  /** Options that make several workloads, and some that make none. */
  readonly good: Values;
  readonly bad: readonly Values[];
  /** Files that are there after the generator's command. */
  readonly made?: readonly string[];
}

/** What every generator must do, whatever it makes. */
export function generatorContract(generator: Generator, { good, bad, made }: GeneratorCase): void {
  const options = (given: Values): Values =>
    new Map([...generator.options.map((option) => [option.name, option.default ?? null] as const), ...given]);
  const make = (world: GeneratorWorld): Promise<readonly Workload[]> => generator.generate(options(good), world);

  describe(`generator ${generator.name}`, () => {
    test("is a frozen plug-in whose options have a synopsis, and whose spellings lead to them", () => {
      expect(Object.isFrozen(generator)).toBe(true);
      for (const option of generator.options) expect(option.synopsis).toMatch(/./);
      const names = generator.options.map(({ name }) => name);
      for (const name of Object.values(generator.spellings)) expect(names).toContain(name);
    });

    test("makes the same workloads again, told apart by titles that hold no path", async () => {
      const [first, second] = [await make(paperWorld("/one", made)), await make(paperWorld("/two", made))];
      const facts = (workloads: readonly Workload[]): unknown[] =>
        workloads.map(({ title, facts: own }) => [title, [...own]]);
      expect(facts(first)).toEqual(facts(second));
      expect(new Set(first.map(({ title }) => title)).size).toBe(first.length);
      expect(JSON.stringify(facts(first))).not.toContain("/one");
    });

    test("writes the same files again", async () => {
      const [first, second] = [paperWorld(), paperWorld()];
      await Promise.all([
        generator.generate(options(good), { ...first, files: paperWorld("/", made).files }),
        make({ ...second, files: paperWorld("/", made).files }),
      ]);
      expect([...first.written]).toEqual([...second.written]);
    });

    test("gives words that a command line takes", async () => {
      for (const { words } of await make(paperWorld("/with blanks & $signs", made)))
        expect(splitCommand(words)).toHaveLength(1);
    });

    test.each(bad.map((given) => [[...given].map((pair) => pair.join("=")).join(" "), given] as const))(
      "refuses %s",
      async (_, given) => {
        const outcome: unknown = await generator
          .generate(options(given), paperWorld())
          .catch((error: unknown) => error);
        expect(isFailure(outcome, "bad-collector-option") || isFailure(outcome, "generator-failed")).toBe(true);
      },
    );
  });
}
