import type { PageSource } from "../../src/core/pages/index.ts";

/** A source that caches responses until `clear`. */
export interface CachedSource extends PageSource {
  clear(): void;
}

/** Maximum number of cached responses; the least recently used is evicted first. */
const maxEntries = 48;

export function cachedSource(source: PageSource): CachedSource {
  const cache = new Map<string, Promise<unknown>>();
  const once = <Value>(parts: readonly (string | number)[], load: () => Promise<Value>): Promise<Value> => {
    const key = JSON.stringify(parts);
    const answer = (cache.get(key) as Promise<Value> | undefined) ?? load();
    cache.delete(key);
    cache.set(key, answer);
    answer.catch(() => cache.delete(key));
    for (const [oldest] of cache) if (cache.size > maxEntries) cache.delete(oldest);
    return answer;
  };
  return {
    ...source,
    overview: () => once(["overview"], () => source.overview()),
    versions: () => once(["versions"], () => source.versions()),
    series: () => once(["series"], () => source.series()),
    changes: () => once(["changes"], () => source.changes()),
    points: (block) => once(["points", block], () => source.points(block)),
    levels: (from, to) => once(["levels", from, to], () => source.levels(from, to)),
    machines: () => once(["machines"], () => source.machines()),
    profiles: (version) => once(["profiles", version], () => source.profiles(version)),
    views: (object) => once(["views", object], () => source.views(object)),
    firstView: (object) => once(["first-view", object], () => source.firstView(object)),
    view: (object, view, options) =>
      once(["view", object, view, JSON.stringify(options)], () => source.view(object, view, options)),
    difference: (base, target) => once(["difference", base, target], () => source.difference(base, target)),
    differences: () => once(["differences"], () => source.differences()),
    experiment: (name) => once(["experiment", name], () => source.experiment(name)),
    clear: () => cache.clear(),
  };
}
