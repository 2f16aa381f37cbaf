import { printedNumber, printedSeconds } from "../../../formats/text/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

const ended = " - timer ended";

/** `1.234ms` of Node.js and Deno, `1.234 ms` of Chromium, `1ms - timer ended` of Firefox. */
const plain = /^([\d.]{1,30}) ?(ms|s)$/;
/** Node.js from a minute on: `1:02.345 (m:ss.mmm)`, `1:02:03.456 (h:mm:ss.mmm)`. */
const long = /^(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2}\.\d{1,3}) \((?:h:m)?m:ss\.mmm\)$/;

/** Output of `console.timeEnd`: lines of nothing but a label and a time. */
export const consoleTime = reportImporter({
  name: "console-time",
  synopsis: "console.timeEnd of JavaScript",
  marks: "lines such as `label: 12.3ms`, and no others",
  sniff: (head) => confidenceOf([...reportLines(head)].filter((line) => line.trim() !== "")),
  reports: (bytes) => {
    const results = new RepeatedResults();
    for (const line of reportLines(bytes)) {
      const timer = timerOf(line);
      if (timer) results.add(timer.label, [["time", timer.time]]);
    }
    return [results.report([{ name: "time", unit: "s", better: "lower" }])];
  },
});

/** The last line of the head may be truncated. */
function confidenceOf(lines: readonly string[]): number {
  if (lines.some((line) => line.endsWith(ended) && timerOf(line) !== undefined)) return 0.9;
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  return whole.length > 0 && whole.every((line) => timerOf(line) !== undefined) ? 0.6 : 0;
}

function timerOf(line: string): { label: string; time: number } | undefined {
  const text = (line.endsWith(ended) ? line.slice(0, -ended.length) : line).trimEnd();
  const colon = text.lastIndexOf(": ");
  const label = text.slice(0, Math.max(0, colon)).trim();
  const time = secondsIn(text.slice(colon + 2));
  return label === "" || Number.isNaN(time) ? undefined : { label, time };
}

function secondsIn(text: string): number {
  const [, amount, unit = ""] = plain.exec(text) ?? [];
  if (amount !== undefined) return printedSeconds(amount, unit);
  const [, hours = "0", minutes, seconds = ""] = long.exec(text) ?? [];
  return minutes === undefined ? Number.NaN : (Number(hours) * 60 + Number(minutes)) * 60 + printedNumber(seconds);
}
