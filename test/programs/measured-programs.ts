import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Value } from "../../src/core/values/value.ts";
import { encodeProfile } from "../../src/formats/profile/profile.ts";
import { memory } from "../../src/plugins/collectors/memory.ts";
import { openShell } from "../../src/workspace/processes/shell.ts";
import { have } from "./scratch-shell.ts";

/** Requirements of tracing with the built-in library. */
export const canTrace: boolean = have("cc") && have("addr2line") && process.platform === "linux";

/** A readable row: the trace as `function:line`, innermost first. */
export interface Row {
  readonly call: string;
  readonly amount: number;
  readonly address: number;
  readonly old: number | undefined;
  readonly order: number;
  readonly trace: string;
  readonly uid: { readonly function: string; readonly source: string; readonly line: number };
  readonly snapshot: number;
  readonly time: string;
  readonly process: number | undefined;
}

export type Params = Readonly<Record<string, Value>>;

/** The shape of a stored profile. */
export interface Document {
  readonly resources: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  readonly resource_type_map: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * A folder with programs compiled by the tests and measured by the collector `memory`; removed after the test file.
 */
export class MeasuredPrograms {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-memory-test-")));

  constructor() {
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  build(name: string, source: string, compiler = "cc", words: readonly string[] = ["-g", "-O0"]): string {
    const file = join(this.folder, `${name}.${compiler === "c++" ? "cpp" : "c"}`);
    writeFileSync(file, source);
    const { status, stderr } = spawnSync(compiler, [...words, "-pthread", "-o", name, file], {
      cwd: this.folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return `./${name}`;
  }

  async document(cmd: string, params: Params = {}): Promise<Document> {
    const shell = openShell({ environment: process.env, cacheFolder: join(this.folder, "cache") });
    const job = {
      cmd,
      workload: "",
      directory: this.folder,
      params: new Map(Object.entries(params)),
      machine: new Map(),
    };
    return JSON.parse(new TextDecoder().decode(encodeProfile(await memory.collect(job, shell)))) as Document;
  }

  async rows(cmd: string, params: Params = {}): Promise<Row[]> {
    const { resources, resource_type_map } = await this.document(cmd, params);
    const rows = Object.entries(resources).flatMap(([id, columns]) => {
      const { subtype, trace, uid, snapshot, time, process } = resource_type_map[id]!;
      return columns["amount"]!.map((amount, at) => ({
        call: subtype as string,
        amount,
        address: columns["address"]?.[at] ?? 0,
        old: columns["old-address"]?.[at],
        order: columns["allocation_order"]?.[at] ?? 0,
        trace: (trace as Row["uid"][]).map((frame) => `${frame.function}:${frame.line}`).join(" "),
        uid: uid as Row["uid"],
        snapshot: snapshot as number,
        time: time as string,
        process: process as number | undefined,
      }));
    });
    return rows.toSorted((a, b) => a.order - b.order);
  }
}
