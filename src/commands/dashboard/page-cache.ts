import { Failure } from "../../core/failures/index.ts";
import {
  type ChangeColumns,
  type ColumnPart,
  type SeriesColumns,
  type VersionColumns,
  columnParts,
  unpackFrame,
  type Overview,
} from "../../core/pages/index.ts";
import { answerKey, type SectionFile } from "../../store/cache/index.ts";
import { experimentHome } from "../../workspace/experiments/index.ts";
import { writeCachedPage, openCachedPage } from "../../workspace/serve/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { PageData, PageOptions } from "../report/index.ts";

/** Metadata of cached pages. */
interface PageFacts {
  /** State of the store they were built from. */
  readonly state: string;
  /** Build time, ms. */
  readonly took: number;
  readonly blocks: number;
  readonly overview: Overview;
}

/** Cached pages, read lazily from disk. */
export interface CachedPages extends Pick<PageFacts, "state" | "took"> {
  readonly data: PageData;
  close(): void;
}

/** Incremented when the format changes. */
const layout = 5;

/** Writes pages to the user's cache, replacing the previous ones; false if that is not possible. */
export function savePages(
  workspace: Workspace,
  options: PageOptions,
  data: PageData,
  { state, took }: Pick<CachedPages, "state" | "took">,
): boolean {
  const facts: PageFacts = { state, took, blocks: data.blocks, overview: data.overview };
  return writeCachedPage(workspace, keyOf(workspace, options), partsOf(data, facts));
}

function* partsOf(data: PageData, facts: PageFacts): Generator<readonly [string, Uint8Array]> {
  yield ["facts", new TextEncoder().encode(JSON.stringify(facts))];
  for (const part of columnParts) yield [part, data.message(part)];
  for (let block = 0; block < data.blocks; block++) yield [`points-${block}`, data.points(block)];
}

/** Cached pages of the same options and program version, for any store state; undefined if there are none. */
export function loadPages(workspace: Workspace, options: PageOptions): CachedPages | undefined {
  const file = openCachedPage(workspace, keyOf(workspace, options));
  const bytes = file?.section("facts");
  if (file === undefined || bytes === undefined) return undefined;
  const facts = JSON.parse(new TextDecoder().decode(bytes)) as PageFacts;
  return { state: facts.state, took: facts.took, data: new CachedPageData(file, facts), close: () => file.close() };
}

/** Cache key: project, database and options. */
function keyOf(workspace: Workspace, { options, ...request }: PageOptions): string {
  const project = workspace.hasInstance() ? workspace.perun() : workspace.world.directory;
  const optionKey = [
    JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    JSON.stringify([...options]),
  ];
  return answerKey(["pages", layout, project, experimentHome(workspace, request.database).database, ...optionKey]);
}

class CachedPageData implements PageData {
  readonly overview: Overview;
  readonly blocks: number;
  readonly #file: SectionFile;
  readonly #unpacked = new Map<ColumnPart, unknown>();

  constructor(file: SectionFile, { overview, blocks }: PageFacts) {
    [this.#file, this.overview, this.blocks] = [file, overview, blocks];
  }

  get versions(): VersionColumns {
    return this.#columns("versions") as VersionColumns;
  }

  get series(): SeriesColumns {
    return this.#columns("series") as SeriesColumns;
  }

  get changes(): ChangeColumns {
    return this.#columns("changes") as ChangeColumns;
  }

  message(part: ColumnPart): Uint8Array {
    return this.#part(part);
  }

  points(block: number): Uint8Array {
    return this.#part(`points-${block}`);
  }

  #columns(part: ColumnPart): unknown {
    const known = this.#unpacked.get(part) ?? unpackFrame(this.#part(part));
    this.#unpacked.set(part, known);
    return known;
  }

  #part(name: string): Uint8Array {
    const bytes = this.#file.section(name);
    if (bytes === undefined) throw new Failure("kept-pages-damaged", { part: name });
    return bytes;
  }
}
