import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Column } from "../../core/tables/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { isList, isObject, type Json } from "../../core/values/index.ts";
import { decodeProfile, OpenProfile, type ProfileMemory } from "../../formats/profile/index.ts";
import type { Workspace } from "../workspace.ts";
import type { Located } from "./locate.ts";

/** Longer files are not hand-written sources. */
const maxSourceBytes = 1 << 20;
const maxSourceFiles = 50;

/**
 * Current texts of the sources that exist. Profiles may name any path: reads only files inside the working directory,
 * with links resolved.
 */
export function readSourceTexts({ files, world }: Workspace, paths: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths.slice(0, maxSourceFiles)) {
    if (path === "" || path.includes("\0") || files.isAbsolute(path)) continue;
    try {
      const facts = files.inspect(path);
      if (facts !== null && facts.size <= maxSourceBytes && files.isInside(path, world.directory))
        texts.set(path, new TextDecoder().decode(files.read(path)));
    } catch {
      // An invalid path or an unreadable file is skipped.
    }
  }
  return texts;
}

/** Reads and decodes a profile; upgrades old formats. `memory`: of earlier profiles. */
export function readRun(workspace: Workspace, located: Located, memory?: ProfileMemory): Run {
  if (located.kind === "file") return decodeProfile(workspace.files.read(located.path), located.name);
  return decodeProfile(storedProfile(workspace, located.digest), undefined, memory);
}

/** The body of a stored profile. */
function storedProfile(workspace: Workspace, digest: Digest): Uint8Array {
  const { kind, body } = workspace.store().objects.get(digest);
  if (kind === "profile") return body;
  throw new Failure("not-a-profile", { file: `object ${digest}`, reason: "it holds an attachment" });
}

/** A stored profile, with its properties decoded on demand. */
export interface OpenComparable extends Pick<OpenProfile, "numbers" | "properties" | "isKnownIn"> {
  /** Whether its sources are as stored; otherwise they depend on the path of the project. */
  readonly hasStoredSources: boolean;
  /** Like `readComparable`. */
  whole(memory?: ProfileMemory): Run;
}

/** Like `readComparable`, of a stored profile, without decoding its properties. */
export function openComparable(workspace: Workspace, digest: Digest): OpenComparable {
  const profile = new OpenProfile(storedProfile(workspace, digest));
  return {
    numbers: profile.numbers,
    get properties() {
      return profile.properties;
    },
    isKnownIn: (memory) => profile.isKnownIn(memory),
    hasStoredSources: !hasPaths(workspace, profile.numbers),
    whole: (memory) => comparable(workspace, profile.whole(memory)),
  };
}

/**
 * Like `readRun`, with sources as perfkeep records them: relative to the project. Perun's collector memory records
 * absolute paths, also of other checkouts, so that its profiles and ours would have no location in common.
 */
export function readComparable(workspace: Workspace, located: Located, memory?: ProfileMemory): Run {
  return comparable(workspace, readRun(workspace, located, memory));
}

function hasPaths(workspace: Workspace, run: Run): boolean {
  return workspace.hasInstance() && run.steps[0]?.name === "memory";
}

function comparable(workspace: Workspace, run: Run): Run {
  if (!hasPaths(workspace, run)) return run;
  const relative = new RelativeSources(workspace);
  const columns = run.data.columns.map((column, at) =>
    ["uid", "trace"].includes(run.data.variables[at]?.name ?? "") ? relative.column(column) : column,
  );
  return { ...run, data: { ...run.data, columns }, models: run.models.map((model) => relative.json(model)) };
}

/** Sources of the system are in no project. */
const systemFolders = /^\/(?:usr|lib\w*|opt|nix|proc)\//;

class RelativeSources {
  readonly #files: Workspace["files"];
  readonly #root: string;
  readonly #known = new Map<string, string>();

  constructor(workspace: Workspace) {
    this.#files = workspace.files;
    this.#root = `${workspace.root()}/`;
  }

  column(column: Column): Column {
    if (column.kind !== "interned") return column;
    return {
      ...column,
      dictionary: column.dictionary.map((value) => (value === undefined ? value : this.json(value))),
    };
  }

  /** Replaces `source` in objects: a uid, the frames of a trace, the uid of a model. */
  json(value: Json): Json {
    if (isList(value)) return value.map((each) => this.json(each));
    if (!isObject(value)) return value;
    const members = [...value].map(([key, own]): [string, Json] => [
      key,
      key === "source" && typeof own === "string" ? this.#of(own) : key === "uid" ? this.json(own) : own,
    ]);
    return new Map(members);
  }

  #of(source: string): string {
    if (!this.#files.isAbsolute(source) || source.includes("\0")) return source;
    const known = this.#known.get(source) ?? this.#find(source);
    this.#known.set(source, known);
    return known;
  }

  /** Below the project, or else the longest end of the path that is a file of the project. */
  #find(source: string): string {
    if (source.startsWith(this.#root)) return source.slice(this.#root.length);
    if (systemFolders.test(source)) return source;
    for (let at = source.indexOf("/", 1); at >= 0; at = source.indexOf("/", at + 1)) {
      const end = source.slice(at + 1);
      if (end !== "" && this.#isFile(this.#root + end)) return end;
    }
    return source;
  }

  #isFile(path: string): boolean {
    try {
      return this.#files.inspect(path) !== null;
    } catch {
      // A path that is too long, or below a file.
      return false;
    }
  }
}
