import { requireOtherName } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type { InputDescription } from "../../formats/descriptions/index.ts";
import type { Files } from "../../workspace/files/index.ts";
import { userFile, type InputFile } from "./input-files.ts";
import type { LoadedDescription } from "./load-descriptions.ts";
import type { ImportOptions } from "./options.ts";

/** Files to read with one description. */
export interface ReadInput {
  readonly description: InputDescription;
  /** Object of the description. */
  readonly descriptionObject?: Digest;
  /** Concatenated. */
  readonly files: readonly InputFile[];
}

/** Inputs that make up the same runs. */
export interface ReadTogether {
  readonly inputs: readonly [ReadInput, ...ReadInput[]];
}

/**
 * Step 1 of an import: finds the files and groups those to read together. One description: each file separately, or all
 * concatenated with `join`. Several: all files together. Fails with `unusable-combination`, `no-input-files`,
 * `no-description`.
 */
export function locate(
  files: Files,
  options: ImportOptions,
  descriptions: readonly LoadedDescription[],
): readonly ReadTogether[] {
  const { inputs, join = false } = options;
  refuseUnusable(options);
  const each = inputs.map(({ files: paths }, at) => {
    const { parsed: description, object } = descriptions[at] as LoadedDescription;
    return {
      files: paths.map((path) => userFile(files, path)),
      input: { description, ...(object === undefined ? {} : { descriptionObject: object }) },
    };
  });
  const [only, ...more] = each;
  if (only !== undefined && more.length === 0)
    return (join ? [only.files] : only.files.map((file) => [file])).map((files) => ({
      inputs: [{ ...only.input, files }],
    }));
  const [first, ...companions] = each.flatMap(({ files, input }) => files.map((file) => ({ ...input, files: [file] })));
  return first === undefined ? [] : [{ inputs: [first, ...companions] }];
}

/** All files of an import, in order. */
export function filesOf(located: readonly ReadTogether[]): readonly InputFile[] {
  return located.flatMap(({ inputs }) => inputs.flatMap(({ files }) => files));
}

function refuseUnusable({ inputs, join, preview, storeSet }: ImportOptions): void {
  if (inputs.length === 0) throw new Failure("no-description");
  if (inputs.some(({ files }) => files.length === 0)) throw new Failure("no-input-files");
  if (inputs.flatMap(({ files }) => files).filter((file) => file === "-").length > 1)
    throw new Failure("unusable-combination", { what: "standard input can be read only once", instead: "give - once" });
  if (join === true && inputs.length > 1) {
    const instead = "join the files of one description, or give each description its own files";
    throw new Failure("unusable-combination", { what: "files of several descriptions cannot be joined", instead });
  }
  if (preview !== undefined && storeSet !== undefined)
    throw new Failure("unusable-combination", {
      what: "a dry run stores no parameter set",
      instead: "omit one of them",
    });
  if (storeSet !== undefined) requireOtherName("a parameter set", storeSet);
}
