import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ping,
  requireSame,
  settle,
  several,
  smallPing,
  tick,
  type Instance,
} from "../../../test/fakes/experiment-instance.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";

type Act = readonly [kind: string, who: number, what: number];

/** Skips impossible actions, which would be refused. */
async function act(all: readonly Instance[], [kind, who, what]: Act): Promise<void> {
  const one = all[who % all.length]!;
  const other = all[(who + 1 + (what % (all.length - 1))) % all.length]!;
  const named = async (): Promise<StoredExperiment> => one.all.find("ping");
  const runs = async (): Promise<number[]> => (await one.all.runs(await named(), false)).map(({ number }) => number);
  const some = async (): Promise<number[]> => (await runs()).filter((_, at) => at % 3 === what % 3);
  switch (kind) {
    case "create":
      return void (await one.all.create(what % 3 === 0 ? smallPing : ping, tick()));
    case "import":
      return void (await one.import(String(what % 7), "ping", what % 5 === 0));
    case "delete":
      return one.all.removeRuns(await named(), await some(), tick());
    case "undelete":
      return one.all.restoreRuns(await named(), [1 + (what % 4)], what % 2 === 0, tick());
    case "purge":
      return void (await one.all.purgeRuns(await named(), tick()));
    case "add":
      return one.update((before) => ({
        ...before,
        synopsis: `${what}`,
        variables: [
          ...before.variables,
          {
            name: `v${what % 3}`,
            role: "result",
            occurrence: "multiple",
            type: what % 2 === 0 ? "float" : "string",
            default: null,
          },
        ],
      }));
    case "drop":
      return one.update((before) => ({
        ...before,
        variables: before.variables.filter(({ name }) => name !== `v${what % 3}`),
      }));
    case "rename": {
      const stored = await named();
      const changes = [{ kind: "alter", name: `v${what % 3}`, newName: `w${what % 2}` } as const];
      return void (await one.all.update(stored, { experiment: "ping", about: {}, access: [], changes }, tick()));
    }
    case "hide":
      return one.all.remove(await named(), tick());
    case "show":
      return one.all.restore(await one.all.findDeleted("ping"), tick());
    case "attach": {
      const object = one.objects.put(
        "attachment",
        "input",
        new TextEncoder().encode(`TABLE size pos=${what}\n`),
      ).digest;
      return one.all.attach(await named(), { name: `a${what % 2}`, kind: "input", object }, tick());
    }
    case "detach":
      return one.all.detach(await named(), `a${what % 2}`, tick());
    case "set":
      return one.all.storeParameterSet(await named(), `s${what % 2}`, new Map([["host", `h${what}`]]), tick());
    case "unset":
      return one.all.deleteParameterSet(await named(), `s${what % 2}`, tick());
    case "spend":
      return one.all.spendRunNumbers(await named(), 1, tick());
    default:
      await one.hear(other);
      await one.join();
  }
}

const acts = fc.tuple(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant("import") },
    { weight: 3, arbitrary: fc.constant("hear") },
    fc.constantFrom(
      "create",
      "delete",
      "undelete",
      "purge",
      "add",
      "drop",
      "rename",
      "hide",
      "show",
      "attach",
      "detach",
      "set",
      "unset",
      "spend",
    ),
  ),
  fc.nat(20),
  fc.nat(100),
);

test(
  "whatever two or three did and in whatever order they met, all have the same in the end",
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(2, 3), fc.array(acts, { minLength: 12, maxLength: 28 }), (count, list) =>
        several(count, async (all) => {
          await all[0]!.all.create(ping, tick());
          for (const each of list) await act(all, each).catch(unlessRefused);
          await settle(...all);
          await requireSame(all);
          expect(await all[0]!.rebuilt()).toEqual(await all[0]!.digests());
        }),
      ),
      {
        seed: Number(process.env["JOIN_SEED"] ?? 7),
        numRuns: Number(process.env["JOIN_RUNS"] ?? 4),
        endOnFailure: true,
      },
    );
  },
);

function unlessRefused(error: unknown): void {
  if (!isFailure(error)) throw error;
}
