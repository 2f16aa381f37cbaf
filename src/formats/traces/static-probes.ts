/** A probe that a program's authors put into it, as systemtap's sys/sdt.h writes them down. */
export interface StaticProbeName {
  readonly provider: string;
  readonly name: string;
}

/** The probes that `readelf --notes` lists; one that stands in several places is one. */
export function readStaticProbes(listed: string): StaticProbeName[] {
  const found = new Map<string, StaticProbeName>();
  for (const [, provider = "", name = ""] of listed.matchAll(/\bProvider: (\S{1,200})\n +Name: (\S{1,200})$/gm))
    found.set(`${provider}:${name}`, { provider, name });
  return [...found.values()];
}

const endsOf: readonly (readonly [begin: string, ends: readonly string[]])[] = [
  ["begin", ["end"]],
  ["start", ["end", "stop", "done", "finish"]],
  ["entry", ["return", "exit"]],
  ["enter", ["leave", "exit"]],
];

/** The probe that ends what this one begins, by their names: `query_begin` and `query_end`. */
export function partnerOf(probe: StaticProbeName, all: readonly StaticProbeName[]): StaticProbeName | undefined {
  const [, stem = "", begin = ""] = /^(.*?)(begin|start|entry|enter)$/.exec(probe.name) ?? [];
  const ends = endsOf.find(([word]) => word === begin)?.[1] ?? [];
  return all.find(({ provider, name }) => provider === probe.provider && ends.some((end) => name === stem + end));
}
