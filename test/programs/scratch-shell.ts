import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";
import type { Shell } from "../../src/plugins/collectors/collector.ts";
import { searchPath } from "../../src/workspace/processes/search-path.ts";
import { openShell } from "../../src/workspace/processes/shell.ts";

export const have = (tool: string): boolean => searchPath(tool, process.env["PATH"]) !== null;

/** Scratch folders for the programs of a test file, removed afterwards, and a shell that runs them. */
export interface ScratchShell {
  /** Where programs are compiled and run. */
  readonly folder: string;
  /** The folder for temporary files, which shows what a collector leaves behind. */
  readonly scratch: string;
  readonly shell: Shell;
}

export function scratchShell(): ScratchShell {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-programs-test-")));
  const scratch = join(folder, "scratch");
  mkdirSync(scratch);
  vi.stubEnv("TMPDIR", scratch);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, scratch, shell: openShell({ environment: process.env, cacheFolder: join(folder, "cache") }) };
}
