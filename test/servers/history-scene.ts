import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { add } from "../../src/commands/profiles/register.ts";
import { createExperiment } from "../../src/commands/experiments/create-experiment.ts";
import { importFiles } from "../../src/commands/import/import.ts";
import { init } from "../../src/commands/configuration/init.ts";
import { builtins } from "../../src/plugins/builtin.ts";
import { openRegistry } from "../../src/workspace/plugins/registry.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { memoryEngine } from "../fakes/memory-engine.ts";
import type { TestDatabase } from "./databases.ts";

const description =
  "*experiment net\n*parameter host string - once\n*parameter size int Byte\n*result rate float MByte/s\n";
const input = 'NAMED host alias="machine" ws=":"\nTABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n';

/** An instance in a repository with an experiment `net`, whose runs measure commits. */
export class HistoryScene {
  readonly folder: string = mkdtempSync(join(tmpdir(), "perfkeep-history-"));
  readonly #environment: Readonly<Record<string, string>>;
  #clock = 1_700_000_000_000;
  #outputs = 0;

  constructor({ url, environment }: TestDatabase) {
    const { PATH = "" } = process.env;
    const names = { USER: "ann", HOME: this.folder, PERFKEEP_DB: url, GIT_CEILING_DIRECTORIES: this.folder };
    const identity = {
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b",
    };
    this.#environment = {
      ...environment,
      ...names,
      ...identity,
      PATH,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
    };
  }

  /** A new workspace for each command, as in the program. */
  get workspace(): Workspace {
    const { folder: directory } = this;
    return new Workspace(
      {
        directory,
        environment: this.#environment,
        now: () => (this.#clock += 1000),
        random: () => 0.5,
        command: "test",
      },
      openRegistry([...builtins, memoryEngine]),
    );
  }

  async begin(): Promise<void> {
    this.git("init", "-q", "-b", "main");
    await init(this.workspace, { vcsType: "git", vcsParams: {}, vcsFlags: [], template: "master" });
    this.write("net.exp", description);
    this.write("net.inp", input);
    await createExperiment(this.workspace, { file: "net.exp" });
  }

  git(...words: string[]): string {
    const { status, stdout, stderr } = spawnSync("git", words, {
      cwd: this.folder,
      env: this.#environment,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
    return stdout.trim();
  }

  /** Creates a commit on that day (UTC). Returns its id. */
  commit(subject: string, day: string): string {
    const { folder: cwd } = this;
    const env = { ...this.#environment, GIT_COMMITTER_DATE: `${day}T12:00:00Z`, GIT_AUTHOR_DATE: `${day}T12:00:00Z` };
    const { status, stderr } = spawnSync("git", ["commit", "-q", "--allow-empty", "-m", subject], {
      cwd,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return this.git("rev-parse", "HEAD");
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Imports a run of the checked-out commit: rows of sizes 1 and 2, with `rate` and twice `rate`. */
  async measure(rate: number): Promise<void> {
    const name = `${++this.#outputs}.out`;
    this.write(name, `machine: node7\nsize rate\n1 ${rate}\n2 ${2 * rate}\n\nend\n`);
    await importFiles(this.workspace, {
      experiment: "net",
      inputs: [{ description: { file: "net.inp" }, files: [name] }],
    });
  }

  /** Registers a profile with these amounts at the checked-out commit. */
  async profile(workload: string, amounts: readonly number[]): Promise<void> {
    const profile = {
      origin: this.git("rev-parse", "HEAD"),
      resources: { "bench#0": { amount: amounts } },
      resource_type_map: { "bench#0": { subtype: "real", type: "time", uid: "bench" } },
      models: [],
      header: { type: "time", cmd: "bench", workload, units: { time: "ms" } },
      collector_info: { name: "time", params: {} },
      postprocessors: [],
    };
    const name = `${++this.#outputs}.perf`;
    this.write(name, JSON.stringify(profile));
    const { failed } = await add(this.workspace, {
      profiles: [name],
      keepProfile: false,
      force: false,
      allowDirty: true,
      confirm: null,
    });
    for (const { failure } of failed) throw failure;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
