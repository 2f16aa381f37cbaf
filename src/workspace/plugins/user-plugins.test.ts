import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { amountsRun } from "../../../test/contracts/checker.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Checker } from "../../plugins/checkers/checker.ts";
import type { VcsPlugin } from "../../plugins/vcs/vcs.ts";
import { openConfig } from "../config/config.ts";
import { loadUserPlugins, type UserPlugin } from "./user-plugins.ts";
import { Workspace, type World } from "../workspace.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "user-plugins-")));
  mkdirSync(join(root, "project/.perun"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const project = (): string => join(root, "project");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project(), path)), { recursive: true });
  writeFileSync(join(project(), path), text);
}

function configure(...paths: string[]): void {
  write(".perun/local.yml", `vcs:\n  type: git\n  url: ../\nplugins: ${JSON.stringify(paths)}\n`);
}

async function load(...paths: string[]): Promise<readonly UserPlugin[]> {
  configure(...paths);
  const config = await openConfig({
    local: join(project(), ".perun/local.yml"),
    shared: join(root, "home/shared.yml"),
  });
  return loadUserPlugins(config, project());
}

async function onlyPlugin<P>(path: string): Promise<P> {
  const [found] = await load(path);
  return found?.plugin as P;
}

async function refusal(...paths: string[]): Promise<string> {
  try {
    await load(...paths);
  } catch (error) {
    if (isFailure(error, "bad-plugin")) return error.message;
    throw error;
  }
  return "loaded";
}

/** A module with a checker whose function has this body. */
function checker(body: string, name = "odd", more = ""): string {
  const facts = `kind: "checker", name: "${name}", synopsis: "odd", options: [], method: "odd"${more}`;
  return `export const plugin = (kit) => ({ ${facts}, check(baseline, target) { ${body} } });`;
}

function world(): World {
  const environment = { HOME: join(root, "home"), PATH: process.env["PATH"] };
  return { directory: project(), environment, now: () => 0, random: () => 0, command: "test" };
}

describe("plug-ins of the user", () => {
  it("are loaded by paths relative to the root, as modules of both systems", async () => {
    write("a/one.mjs", checker("return [];", "one"));
    write("two.cjs", checker("return [];", "two").replace("export const plugin", "exports.plugin"));
    const found = await load("a/one.mjs", join(project(), "two.cjs"));
    expect(found.map(({ plugin, file }) => [plugin.kind, plugin.name, file])).toEqual([
      ["checker", "one", "a/one.mjs"],
      ["checker", "two", join(project(), "two.cjs")],
    ]);
    expect(found.every(({ plugin }) => Object.isFrozen(plugin))).toBe(true);
  });

  it("may be several per file, and receive the program's own classes", async () => {
    const draw = `draw() { throw new kit.Failure("nothing-to-draw", { what: "this" }); }`;
    const view = `{ kind: "view", name: "seen", synopsis: "s", options: [], ${draw} }`;
    const facts = `name: "unit", synopsis: "s", options: [], recorded: "unit", spellings: {}`;
    const unit = `{ kind: "postprocessor", ${facts}, apply(run) { kit.refuse("too odd", "do not"); } }`;
    write("both.mjs", `export function plugin(kit) { return [${view}, ${unit}]; }`);
    const [seen, made] = await load("both.mjs");
    const run = amountsRun({ main: [1] });
    const outcome = (action: () => unknown): unknown => {
      try {
        return action();
      } catch (error) {
        return error instanceof Failure ? [error.code, error.message] : error;
      }
    };
    expect(outcome(() => seen?.plugin.kind === "view" && seen.plugin.draw(run, new Map()))).toEqual([
      "nothing-to-draw",
      "nothing to draw: this",
    ]);
    expect(outcome(() => made?.plugin.kind === "postprocessor" && made.plugin.apply(run, new Map()))).toEqual([
      "plugin-refused",
      "too odd",
    ]);
  });

  it.each([
    ["it is missing", "a.mjs", null, /no such file/],
    ["it is outside", "../outside.mjs", "export const plugin = 1", /is outside/],
    ["it exports nothing", "a.mjs", "export const other = 1", /exports no function/],
    ["it is not JavaScript", "a.mjs", "export const = ;", /cannot be loaded: SyntaxError/],
    ["it fails when loaded", "a.mjs", "throw new Error('first\\nsecond')", /cannot be loaded: Error: first$/],
    ["its function fails", "a.mjs", "export const plugin = () => { throw 7; }", /plugin\(\) fails: 7/],
    ["it returns nothing", "a.mjs", "export const plugin = () => null", /returns no object/],
    [
      "its kind is unknown",
      "a.mjs",
      "export const plugin = () => ({ kind: 'engine' })",
      /kind 'engine' is not one of collector/,
    ],
    ["its name is hostile", "a.mjs", checker("", "a\\u001b[2J"), /its name/],
    [
      "it lacks its function",
      "a.mjs",
      "export const plugin = () => ({ kind: 'view', name: 'v', synopsis: 's', options: [] })",
      /no function draw/,
    ],
    [
      "it lacks options",
      "a.mjs",
      "export const plugin = () => ({ kind: 'view', name: 'v', synopsis: 's', draw() {} })",
      /options are not a list/,
    ],
    [
      "it has a built-in name",
      "a.mjs",
      checker("", "average-amount"),
      /perfkeep already has a checker named average-amount/,
    ],
    [
      "it has a built-in alias",
      "a.mjs",
      checker("", "odd", ", aliases: ['AVERAGE_amount_threshold']"),
      /perfkeep already has a checker named/,
    ],
    ["its types are not strings", "a.mjs", checker("", "odd", ", types: [7]"), /its types are not a list of strings/],
    ["it is TypeScript", "a.mts", "export const plugin = 1", /does not run TypeScript/],
  ])("are refused in one line when %s", async (_, path, text, expected) => {
    if (text !== null) write(path, text);
    const message = await refusal(path);
    expect(message).toMatch(expected);
    expect(message).toContain(path);
    expect(message).not.toContain("\n");
  });

  it("are refused for links out of the project, and for duplicate names", async () => {
    writeFileSync(join(root, "out.mjs"), checker(""));
    symlinkSync(join(root, "out.mjs"), join(project(), "link.mjs"));
    expect(await refusal("link.mjs")).toMatch(/link.mjs: it is outside/);
    write("a.mjs", checker("", "same"));
    write("b.mjs", checker("", "other", ", aliases: ['SAME']"));
    expect(await refusal("a.mjs", "b.mjs")).toBe("b.mjs: a.mjs also has a checker named same");
  });

  it("fail with one line that names the file, whatever the error", async () => {
    const answers = {
      "throw new TypeError('x is not y');": /a.mjs: checker odd: TypeError: x is not y$/,
      "return null;": /check returned no list of changes/,
      "return [{}];": /check returned a change without one of/,
      "return [{ intervals: [{ rate: 1 }] }];": /check returned a change with invalid intervals/,
      "return Promise.reject(new Error('later'));": /Error: later/,
    };
    for (const [body, expected] of Object.entries(answers)) {
      const path = `${Object.keys(answers).indexOf(body)}/a.mjs`;
      write(path, checker(body));
      const plugin = await onlyPlugin<Checker>(path);
      const run = amountsRun({});
      const outcome: unknown = await (async () => plugin.check(run, run, new Map()))().catch((error: unknown) => error);
      expect(outcome).toMatchObject({ code: "plugin-failed", message: expect.stringMatching(expected) });
    }
  });

  it("have guarded results: methods of classes, iterables, and their results", async () => {
    write(
      "vcs.mjs",
      `class Repository {
         #word = "set"; type = "odd";
         head() { return this.#word; }
         async *walk() { yield { id: 1 }; throw new Error("broken walk"); }
         addWorktree() { return { path: "p", saveState() { throw new RangeError("state"); } }; }
       }
       const facts = { kind: "vcs", name: "odd", synopsis: "s", options: [] };
       export const plugin = () => ({ ...facts, async init() {}, async open() { return new Repository(); } });`,
    );
    const vcs = await (await onlyPlugin<VcsPlugin>("vcs.mjs")).open("/", {});
    expect([vcs.type, await vcs.head()]).toEqual(["odd", "set"]);
    const seen: unknown[] = [];
    const walk = async (): Promise<void> => {
      for await (const version of vcs.walk("0" as never)) seen.push(version);
    };
    await expect(walk()).rejects.toMatchObject({
      code: "plugin-failed",
      message: "vcs.mjs: vcs odd: Error: broken walk",
    });
    expect(seen).toEqual([{ id: 1 }]);
    const tree = await vcs.addWorktree("p", "0" as never);
    expect(() => tree.saveState()).toThrow("vcs.mjs: vcs odd: RangeError: state");
  });
});

describe("a workspace with plug-ins of the user", () => {
  it("loads none for built-in names, and only trusted ones for others", async () => {
    const counting = "globalThis.perfkeepTestLoads = (globalThis.perfkeepTestLoads ?? 0) + 1";
    write("a.mjs", checker("return [];").replace("=> ({", `=> (${counting}, {`));
    configure("a.mjs");
    const loads = (): unknown => (globalThis as { perfkeepTestLoads?: number }).perfkeepTestLoads;
    const { registry } = new Workspace(world());
    expect((await registry.get("checker", "aat")).name).toBe("average-amount");
    await expect(registry.get("checker", "odd")).rejects.toMatchObject({
      code: "not-trusted",
      data: { commands: ["plugins: a.mjs"] },
    });
    await expect(registry.get("engine", "odd")).rejects.toMatchObject({ code: "unknown-plugin" });
    expect(loads()).toBeUndefined();
    const trusting = new Workspace(world());
    trusting.trust().grant(await trusting.config());
    expect((await trusting.registry.get("checker", "ODD")).name).toBe("odd");
    await expect(trusting.registry.get("view", "odd")).rejects.toMatchObject({ code: "unknown-plugin" });
    await expect(trusting.registry.get("checker", "od")).rejects.toMatchObject({
      message: expect.stringContaining("did you mean odd"),
    });
    expect(loads()).toBe(1);
  });

  it("loads those of the shared configuration from its folder", async () => {
    mkdirSync(join(root, "home/.config/perun"), { recursive: true });
    writeFileSync(join(root, "home/.config/perun/shared.yml"), "plugins: [mine.mjs]\n");
    writeFileSync(join(root, "home/.config/perun/mine.mjs"), checker("return [];", "mine"));
    write(".perun/local.yml", "vcs:\n  type: git\n  url: ../\n");
    expect((await new Workspace(world()).registry.get("checker", "mine")).name).toBe("mine");
  });
});
