import type { PageSource } from "../../src/core/pages/source.ts";

/** A source that is asked once for each thing, until it is told to forget. */
export interface CachedSource extends PageSource {
  forget(): void;
}

/** Blocks of points and pictures are large; more of them than this are asked for again. */
const mostKept = 48;

export function cachedSource(source: PageSource): CachedSource {
  const kept = new Map<string, Promise<unknown>>();
  const once = <Value>(words: readonly (string | number)[], ask: () => Promise<Value>): Promise<Value> => {
    const key = JSON.stringify(words);
    const answer = (kept.get(key) as Promise<Value> | undefined) ?? ask();
    kept.delete(key);
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
    for (const [oldest] of kept) if (kept.size > mostKept) kept.delete(oldest);
    return answer;
  };
  return {
    ...source,
    overview: () => once(["overview"], () => source.overview()),
    versions: () => once(["versions"], () => source.versions()),
    series: () => once(["series"], () => source.series()),
    changes: () => once(["changes"], () => source.changes()),
    points: (block) => once(["points", block], () => source.points(block)),
    profiles: (version) => once(["profiles", version], () => source.profiles(version)),
    views: (object) => once(["views", object], () => source.views(object)),
    firstView: (object) => once(["first-view", object], () => source.firstView(object)),
    view: (object, view, options) =>
      once(["view", object, view, JSON.stringify(options)], () => source.view(object, view, options)),
    difference: (base, target) => once(["difference", base, target], () => source.difference(base, target)),
    differences: () => once(["differences"], () => source.differences()),
    experiment: (name) => once(["experiment", name], () => source.experiment(name)),
    forget: () => kept.clear(),
  };
}
