import { Failure } from "../../core/failures/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { Files } from "../../workspace/files/index.ts";
import type { RawOutput } from "../../workspace/import/index.ts";
import { userFile, type InputFile } from "./input-files.ts";

/** Output of a program, and the commit of its worktree; absent: the working tree. */
export interface MeasuredOutput extends RawOutput {
  readonly version?: VersionId;
}

/** A file of a known format. */
export interface ReportInput {
  readonly file: InputFile;
  /** The measured commit, if it is known before the file is read. */
  readonly version?: VersionId;
}

/** Step 1 of an import of known formats. Fails with `no-input-files`. */
export function locateReports(
  files: Files,
  paths: readonly string[],
  measured: readonly MeasuredOutput[],
): readonly ReportInput[] {
  if (paths.length + measured.length === 0) throw new Failure("no-input-files");
  return [...paths.map((path) => ({ file: userFile(files, path) })), ...measured.map(measuredInput)];
}

function measuredInput({ bytes, path, version }: MeasuredOutput): ReportInput {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return { file: { path, size: bytes.length, stream }, ...(version === undefined ? {} : { version }) };
}
