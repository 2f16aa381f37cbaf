import { configurationKey, configurationText, type ListedProfile } from "../../core/profiles/index.ts";
import {
  hasSizes,
  isComplete,
  layoutWords,
  type SampleCells,
  type SampledSubject,
  type SampleLayout,
} from "../../query/series/index.ts";
import { type AnswerCache, answerKey, digestKey } from "../../store/cache/index.ts";
import type { OpenComparable } from "../../workspace/profiles/index.ts";

/** Where the samples of a profile are, without its properties. */
export interface KnownLayout {
  readonly subjects: readonly SampledSubject[];
  readonly cells: SampleCells;
  readonly hasCalls: boolean;
}

/** `subjects`: the key of a stored list. */
interface StoredLayout extends Omit<KnownLayout, "subjects"> {
  readonly subjects: string;
}

/** Lists of subjects that are stored once. */
export interface SubjectLists {
  /** undefined: it cannot be stored. */
  keyOf(subjects: readonly SampledSubject[]): string | undefined;
  /** undefined: not stored. */
  listOf(key: string): readonly SampledSubject[] | undefined;
}

/**
 * Stores the layouts of profiles by a hash of their properties and of all else that a layout depends on: the newest
 * profile of a history mostly has the properties of earlier ones, which are not decoded again.
 */
export class StoredLayouts {
  readonly #cache: AnswerCache;
  readonly #lists: SubjectLists;
  readonly #program: string;
  readonly #now: number;
  readonly #known = new Map<string, KnownLayout>();

  /** `program`: version of perfkeep. `now`: seconds since 1970. */
  constructor(cache: AnswerCache, lists: SubjectLists, program: string, now: number) {
    [this.#cache, this.#lists, this.#program, this.#now] = [cache, lists, program, now];
  }

  /** The key of the layout of a profile; undefined: it depends on more than its properties. */
  keyOf(profile: ListedProfile, open: OpenComparable): string | undefined {
    const { numbers } = open;
    if (!open.hasStoredSources || hasSizes(numbers) || !isComplete(numbers.data)) return undefined;
    const [types, bytes] = open.properties;
    return answerKey([
      "layout of properties",
      this.#program,
      digestKey(types),
      digestKey(bytes),
      layoutWords(numbers),
      JSON.stringify([profile.cmd, configurationText(profile), configurationKey(profile)]),
    ]);
  }

  find(key: string): KnownLayout | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const stored = this.#cache.get(key, this.#now) as StoredLayout | undefined;
    const subjects = stored === undefined ? undefined : this.#lists.listOf(stored.subjects);
    if (stored === undefined || subjects === undefined) return undefined;
    const found = { ...stored, subjects };
    this.#known.set(key, found);
    return found;
  }

  put(key: string, layout: SampleLayout, { subjects, hasCalls }: Pick<KnownLayout, "subjects" | "hasCalls">): void {
    const list = layout.isOfProperties ? this.#lists.keyOf(subjects) : undefined;
    if (list === undefined) return;
    const stored: StoredLayout = { subjects: list, cells: layout.cells, hasCalls };
    this.#cache.put(key, stored);
  }
}
