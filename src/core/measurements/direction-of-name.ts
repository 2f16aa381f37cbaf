import { sameDimension, type Unit } from "../values/index.ts";
import type { Direction } from "./series.ts";

/** Matches any of the words at the end of a name or of one of its parts; words of one or two letters as whole parts. */
export function nameWordsPattern(words: string): RegExp {
  const whole = words.split(" ").map((word) => (word.length > 2 ? word : `(?:^|_)${word}`));
  return new RegExp(`(?:${whole.join("|")})(?:\\b|_|$)`, "i");
}

const gains = nameWordsPattern(
  "bandwidth bw (?:^|_|bit|byte|data|frame|hit)rate throughput flops? mops? iops (?:^|_|k)ops (?:^|_)speed " +
    "performance (?:^|_)rating score speedup efficiency fom merit accuracy availability hit_ratio " +
    "succe(?:ss(?:es|ful)?|eded) (?:^|_)passed " +
    "[kmgt]?i?b(?:yte|it)?s?_(?:p(?:er)?_)?s(?:ec|econd)? [kmgt]bps (?:^|_|[kmg])[qtrfp]ps " +
    "gcups gteps teps ns_(?:per_)?day per_sec(?:ond)? " +
    "(?:req(?:uest)?|op|quer(?:y|ie)|token|image|frame|sample|msg|message|packet|pkt|row|step|iter|conn|call|task|" +
    "event|transaction|job|item|record|doc|key|write|read|insert|lookup|hit|run|test|page|user)s?_s(?:ec|econd)?",
);

/** Rates of failures and losses: `cache_miss_rate`, `errors_per_sec`; and times and counts of what a rate is about. */
const unwanted = nameWordsPattern(
  "miss(?:es)? errors? err fail(?:ed|ures?)? loss lost drop(?:s|ped)? faults? reject(?:s|ed)? collisions? " +
    "abort(?:s|ed)? retr(?:y|ies|ans) conflicts? evictions? stalls? timeouts? discards? overruns? imbalance overhead",
);

/** Words after which a name is about how much the metric varies. */
const spread = nameWordsPattern(
  "stddev stdev std sd dev deviation variance variation cv rsd margin moe rme sem stderr mad iqr range",
);

/** Words after which a name is about time, memory or work that is done, of which less is better. */
const costs = nameWordsPattern(
  "time times latency latencies delay elapsed duration runtime wall clock cpu user sys real wait pause(?:s|d)? " +
    "jitter seconds? secs? (?:milli|micro|nano)seconds? msecs? usecs? nsecs? ms us ns cost costs price energy power " +
    "memory mem rss heap footprint size sizes bytes? kb mb gb kib mib gib pages? alloc(?:s|ated|ation|ations)? " +
    "cycles? instructions? insns? branches branch refs references calls syscalls switches migrations lines " +
    "complexity depth residuals? distance diff difference growth",
);

/** `assertions/s`, `widgets per second`; not `MB / sample`. */
const perSecond = /[^\s/] ?(?:\/|\bper\b) ?s(?:ec(?:ond)?)?(?![\p{L}\p{N}])/iu;

/**
 * The direction that the name of a metric without a decisive unit leaves no doubt of: `throughput`, `ops/sec` and
 * `accuracy` are better when higher, `miss_rate` when lower. undefined: the name leaves it open.
 */
export function directionOfName(name: string): Direction | undefined {
  const plain = plainName(name);
  if (unwanted.test(plain)) return "lower";
  if (spread.test(plain)) return undefined;
  return perSecond.test(name) || gains.test(plain) ? "higher" : undefined;
}

/** Whether a metric without a direction is a cost by its name: `elapsed`, `allocations`, `rss`, `latency_stddev`. */
export function namesCost(name: string): boolean {
  const plain = plainName(name);
  return costs.test(plain) || spread.test(plain);
}

/** Words joined by `_`. */
function plainName(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z][a-z])/g, "_")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .slice(0, 200);
}

/** The direction of a metric whose unit leaves it open: without a unit, or in percent. undefined: so does its name. */
export function directionOfMetric(name: string, unit: Unit | undefined): Direction | undefined {
  return sameDimension(unit, undefined) ? directionOfName(name) : undefined;
}
