import { prefixedNumber, printedNumber, printedSeconds } from "../text/parse-quantity.ts";
import { someLine } from "./report/report-text.ts";

/** A metric as the data of `handleSummary` has it; times are in milliseconds. */
export interface K6Metric {
  readonly type: "trend" | "counter" | "rate" | "gauge";
  readonly contains: "time" | "data" | "default";
  readonly values: Readonly<Record<string, number>>;
}

/**
 * `http_req_duration....: avg=144.56ms …`, perhaps behind the mark of a threshold; `{ expected_response:true }...: …`
 * is of the metric before.
 */
const metricLine = /^ {0,20}(?:[✓✗] )?(?:([A-Za-z_]\w{0,127})|\{ ([^{}]{1,500}) \})\.{2,200}: {0,4}(\S.{0,1000})$/;
const counted = /^([\d.]{1,30}) {1,20}([\d.]{1,30})\/s$/;
const transferred = /^([\d.]{1,20}) ([kMGTP]?)B {1,20}([\d.]{1,20}) ([kMGTP]?)B\/s$/;
const share = /^([\d.]{1,10})% {1,20}(?:✓ (\d{1,15}) {1,20}✗ (\d{1,15})|(\d{1,15}) out of (\d{1,15}))$/;
const gauge = /^([\d.]{1,30}) {1,20}min=([\d.]{1,30}) {1,20}max=([\d.]{1,30})$/;
const durations = /([\d.]{1,30})(h|m|s|ms|µs|us|ns)(?=\d|$)/g;

/** Whether lines are those of the summary at the end of a test. */
export function isK6Text(lines: Iterable<string>): boolean {
  return someLine(
    lines,
    (line) => /^ {0,20}(?:[✓✗] )?(?:iterations|vus_max)\.{3,200}: /.test(line) && metricIn(line) !== undefined,
  );
}

/** The metrics of the summary at the end of a test by their names, tags in braces as in `name{tag:value}`. */
export function k6TextMetrics(lines: Iterable<string>): [string, K6Metric][] {
  const found: [string, K6Metric][] = [];
  let last = "";
  for (const line of lines) {
    const [, name, tags = ""] = metricLine.exec(line.trimEnd()) ?? [];
    const metric = metricIn(line);
    if (metric === undefined) continue;
    last = name ?? last;
    found.push([name ?? `${last}{${tags}}`, metric]);
  }
  return found;
}

function metricIn(line: string): K6Metric | undefined {
  const told = metricLine.exec(line.trimEnd())?.[3];
  if (told === undefined) return undefined;
  if (told.startsWith("avg=") || /^(?:min|med|max|count|p\([\d.]{1,8}\))=/.test(told)) return trend(told);
  const [, count, perSecond = ""] = counted.exec(told) ?? [];
  if (count !== undefined)
    return metric("counter", "default", { count: printedNumber(count), rate: printedNumber(perSecond) });
  const [, bytes, prefix = "", speed = "", ofSpeed = ""] = transferred.exec(told) ?? [];
  if (bytes !== undefined)
    return metric("counter", "data", { count: prefixedNumber(bytes, prefix), rate: prefixedNumber(speed, ofSpeed) });
  const [, value, least = "", most = ""] = gauge.exec(told) ?? [];
  if (value !== undefined)
    return metric("gauge", "default", {
      value: printedNumber(value),
      min: printedNumber(least),
      max: printedNumber(most),
    });
  return shareIn(told);
}

function shareIn(told: string): K6Metric | undefined {
  const [, percent, passes, fails = "", some = "", all = ""] = share.exec(told) ?? [];
  if (percent === undefined) return undefined;
  const counts = passes === undefined ? [Number(some), Number(all) - Number(some)] : [Number(passes), Number(fails)];
  return metric("rate", "default", { rate: printedNumber(percent) / 100, passes: counts[0]!, fails: counts[1]! });
}

/** `avg=1.2s min=0s p(90)=1m2s`, or plain numbers. */
function trend(told: string): K6Metric {
  const parts = told.split(/ +/).flatMap((word): [string, string][] => {
    const at = word.indexOf("=");
    return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
  });
  const isTime = parts.some(([, text]) => /[a-zµ]$/.test(text));
  const values = parts.map(([name, text]) => [name, isTime ? milliseconds(text) : printedNumber(text)] as const);
  return metric("trend", isTime ? "time" : "default", Object.fromEntries(values));
}

function milliseconds(text: string): number {
  let sum = Number.NaN;
  for (const [, amount = "", unit = ""] of text.slice(0, 100).matchAll(durations))
    sum = (Number.isNaN(sum) ? 0 : sum) + printedSeconds(amount, unit) * 1000;
  // Not more digits than were printed.
  return Number(sum.toPrecision(15));
}

function metric(
  type: K6Metric["type"],
  contains: K6Metric["contains"],
  values: Readonly<Record<string, number>>,
): K6Metric {
  return { type, contains, values };
}
