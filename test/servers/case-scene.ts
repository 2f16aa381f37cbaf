import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createExperiment } from "../../src/commands/experiments/create-experiment.ts";
import { importFiles } from "../../src/commands/import/import.ts";
import { runQuery } from "../../src/commands/query/query-graph.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { fileText } from "../contracts/file-text.ts";
import type { TestDatabase } from "./databases.ts";

/** What a folder of test/cases says of itself; README.md there tells the rest. Paths are relative to the folder. */
interface Case {
  readonly experiment: string;
  readonly input: string;
  readonly imports: readonly { readonly performed?: string; readonly files: readonly string[] }[];
}

/** A copy of the folder of a case, in which its files are imported and its queries evaluated. */
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
    return new Workspace({
      directory: this.folder,
      environment: this.#environment,
      now,
      random: () => 0.5,
      command: "test",
    });
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

  /** Files from elsewhere lie in the folder under their own names. */
  #copied(file: string): string {
    if (!file.startsWith("..")) return file;
    copyFileSync(join(this.#source, file), join(this.folder, basename(file)));
    return basename(file);
  }

  /** What a query prints under its own name, and what it writes under the names of the files. */
  async answers(query: string): Promise<Map<string, string>> {
    const outputs = await runQuery(this.workspace, { description: { path: query } });
    const texts = new Map<string, string>();
    for (const output of outputs) {
      if (output.kind === "figure") throw new Error(`${query} draws a picture`);
      const { file = `${basename(query).replace(/[.]\w+$/, "")}.txt`, data: content } = output;
      if (typeof content === "string") texts.set(file, content);
      else texts.set(`${file}.txt`, await fileText(file, content));
    }
    return texts;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
