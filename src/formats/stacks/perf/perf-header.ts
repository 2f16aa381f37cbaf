/** The first line of a sample in the output of `perf script`. */
export interface PerfHeader {
  /** Name of the thread; may contain blanks. */
  readonly command: string;
  /** Equal to `thread` if only one number is printed. */
  readonly process: number;
  readonly thread: number;
  /** null if not printed. */
  readonly cpu: number | null;
  /** On the system clock; null if not printed. */
  readonly seconds: number | null;
  /** Number of events of the sample; 1 if not printed. */
  readonly period: number;
  /** With modifiers (`cycles:u`); empty if not printed. */
  readonly event: string;
  /** The rest of the line: data of a tracepoint, or the only frame if no stacks were recorded. */
  readonly rest: string;
}

/** Maximum number of words before the data of a tracepoint. */
const maxWords = 64;

/** Maximum length of lines for the fast path. */
const maxFastLength = 300;

/**
 * Parses `COMMAND PID[/TID] [[CPU]] [SECONDS:] [PERIOD] [EVENT:] …`; null for other lines. The command ends before
 * the first number after which the rest of the pattern matches. Layout: process_event and perf_sample__fprintf_start of
 * the kernel's tools/perf/builtin-script.c.
 */
export function readPerfHeader(line: string): PerfHeader | null {
  return line.length > maxFastLength ? readByWords(line) : (readDefault(line) ?? readByWords(line));
}

/**
 * Fast path for headers with perf's default fields and a command without blanks; null for other lines.
 */
function readDefault(line: string): PerfHeader | null {
  const match = defaultHeader.exec(line);
  if (match === null) return null;
  const [, command = "", process, thread, cpu, seconds, period, event = ""] = match;
  return {
    command,
    process: Number(process),
    thread: Number(thread ?? process),
    cpu: cpu === undefined ? null : Number(cpu),
    seconds: Number(seconds),
    period: Number(period ?? 1),
    event,
    rest: "",
  };
}

const defaultHeader = new RegExp(
  String.raw`^\s*(\S+)\s+(\d{1,10})(?:/(\d{1,10}))?\s+(?:\[(\d{1,6})\]\s+)?(\d{1,15}\.\d{1,9}):\s+` +
    String.raw`(?:(\d{1,20})\s+)?([^\s\d]\S*[^\s:]):\s*$`,
);

function readByWords(line: string): PerfHeader | null {
  const words = wordsOf(line);
  for (let at = 1; at < words.length; at++) {
    const ids = /^(-?\d{1,10})(?:\/(-?\d{1,10}))?$/.exec(words[at]!.text);
    const fields = ids && fieldsFrom(words, at + 1, line);
    if (!fields) continue;
    const process = Number(ids[1]);
    return { command: line.slice(0, words[at]!.start).trim(), process, thread: Number(ids[2] ?? process), ...fields };
  }
  return null;
}

interface Word {
  readonly text: string;
  readonly start: number;
}

function wordsOf(line: string): Word[] {
  const words: Word[] = [];
  for (const { 0: text, index: start } of line.matchAll(/\S+/g)) if (words.push({ text, start }) === maxWords) break;
  return words;
}

function fieldsFrom(
  words: readonly Word[],
  first: number,
  line: string,
): Omit<PerfHeader, "command" | "process" | "thread"> | null {
  let at = first;
  const take = (pattern: RegExp): string | null => {
    const text = pattern.exec(words[at]?.text ?? "")?.[1] ?? null;
    if (text !== null) at++;
    return text;
  };
  const cpu = take(/^\[(\d{1,6})\]$/);
  const seconds = take(/^(\d{1,15}\.\d{1,9}):$/);
  const period = take(/^(\d{1,20})$/);
  const event = take(/^([^\s\d]\S*[^\s:]|[^\s\d]):$/);
  if (seconds === null && event === null) return null;
  const next = words[at];
  const rest = next === undefined ? "" : line.slice(next.start).trimEnd();
  return {
    cpu: cpu === null ? null : Number(cpu),
    seconds: seconds === null ? null : Number(seconds),
    period: Number(period ?? 1),
    event: event ?? "",
    rest,
  };
}

/** The name of an event without modifiers: `cpu-clock` for `cpu-clock:uH`. */
export function eventName(event: string): string {
  return event.replace(/:[ukhGHpPSDIWeb]*$/, "");
}
