import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createExperiment } from "../../src/commands/experiments/create-experiment.ts";
import { importFiles } from "../../src/commands/import/import.ts";
import { runQuery } from "../../src/commands/query/query-graph.ts";
import { builtins } from "../../src/plugins/builtin.ts";
import { openRegistry } from "../../src/workspace/plugins/registry.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { fileText } from "../contracts/file-text.ts";
import { memoryEngine } from "../fakes/memory-engine.ts";
import type { TestDatabase } from "./databases.ts";

/** The description of a case in test/cases, see README.md there. Paths are relative to its folder. */
interface Case {
  readonly experiment: string;
  readonly input: string;
  readonly imports: readonly { readonly performed?: string; readonly files: readonly string[] }[];
}

/** A copy of the folder of a case, in which its files are imported and its queries run. */
export class CaseScene {
  readonly folder = mkdtempSync(join(tmpdir(), "perfkeep-case-"));
  readonly #source: string;
  readonly #environment: Readonly<Record<string, string>>;
  #clock = 1_700_000_000_000;

  constructor(source: string, { url, environment }: TestDatabase) {
    this.#source = source;
    this.#environment = {
      ...environment,
      USER: "ann",
      HOME: this.folder,
      PERFKEEP_DB: url,
      GIT_CEILING_DIRECTORIES: this.folder,
    };
    cpSync(this.#source, this.folder, { recursive: true });
  }

  get workspace(): Workspace {
    const now = (): number => (this.#clock += 1000);
    return new Workspace(
      { directory: this.folder, environment: this.#environment, now, random: () => 0.5, command: "test" },
      openRegistry([...builtins, memoryEngine]),
    );
  }

  async begin(): Promise<void> {
    const { experiment, input, imports } = JSON.parse(readFileSync(join(this.folder, "case.json"), "utf8")) as Case;
    const description = this.#copied(experiment);
    const { experiment: created } = await createExperiment(this.workspace, { file: description });
    for (const { files, performed } of imports) {
      const inputs = [{ description: { file: this.#copied(input) }, files: files.map((file) => this.#copied(file)) }];
      await importFiles(this.workspace, {
        experiment: created.name,
        inputs,
        ...(performed === undefined ? {} : { performed }),
      });
    }
  }

  /** Copies files from other folders under their own names. */
  #copied(file: string): string {
    if (!file.startsWith("..")) return file;
    copyFileSync(join(this.#source, file), join(this.folder, basename(file)));
    return basename(file);
  }

  /** The output of a query by file name; printed output is under the name of the query. */
  async answers(query: string): Promise<Map<string, string>> {
    const outputs = await runQuery(this.workspace, { description: { path: query } });
    const texts = new Map<string, string>();
    for (const output of outputs) {
      if (output.kind === "figure") throw new Error(`${query} draws a picture`);
      const { file = `${basename(query).replace(/[.]\w+$/, "")}.txt`, data } = output;
      if (typeof data === "string") texts.set(file, data);
      else texts.set(`${file}.txt`, await fileText(file, data));
    }
    return texts;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
