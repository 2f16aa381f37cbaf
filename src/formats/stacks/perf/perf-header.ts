/** The first line of a sample, as `perf script` prints it. */
export interface PerfHeader {
  /** Name of the thread that was running; may contain blanks. */
  readonly command: string;
  /** Equal to `thread` where only one number is printed. */
  readonly process: number;
  readonly thread: number;
  /** null: not printed. */
  readonly cpu: number | null;
  /** On the clock of the machine; null: not printed. */
  readonly seconds: number | null;
  /** How many events the sample stands for; 1 where it is not printed. */
  readonly period: number;
  /** With its modifiers (`cycles:u`); empty where it is not printed. */
  readonly event: string;
  /** What follows: data of a tracepoint, or the only frame where no stacks were recorded. */
  readonly rest: string;
}

/** No header is longer, data of tracepoints aside. */
const mostWords = 64;

/** Longer lines are not tried to be usual ones. */
const mostUsual = 300;

/**
 * Reads `COMMAND PID[/TID] [[CPU]] [SECONDS:] [PERIOD] [EVENT:] …`; null: the line is none. The command ends where the
 * first number stands that the rest of the form fits behind. Layout: process_event and perf_sample__fprintf_start of
 * the kernel's tools/perf/builtin-script.c.
 */
export function readPerfHeader(line: string): PerfHeader | null {
  return line.length > mostUsual ? readByWords(line) : (readUsual(line) ?? readByWords(line));
}

/**
 * Headers as perf prints them unless it is asked for other fields, of a command without blanks; null: it is another.
 */
function readUsual(line: string): PerfHeader | null {
  const found =
    /^\s*(\S+)\s+(\d{1,10})(?:\/(\d{1,10}))?\s+(?:\[(\d{1,6})\]\s+)?(\d{1,15}\.\d{1,9}):\s+(?:(\d{1,20})\s+)?([^\s\d]\S*[^\s:]):\s*$/.exec(
      line,
    );
  if (found === null) return null;
  const [, command = "", process, thread, cpu, seconds, period, event = ""] = found;
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
  for (const { 0: text, index: start } of line.matchAll(/\S+/g)) if (words.push({ text, start }) === mostWords) break;
  return words;
}

function fieldsFrom(
  words: readonly Word[],
  first: number,
  line: string,
): Omit<PerfHeader, "command" | "process" | "thread"> | null {
  let at = first;
  const taken = (pattern: RegExp): string | null => {
    const text = pattern.exec(words[at]?.text ?? "")?.[1] ?? null;
    if (text !== null) at++;
    return text;
  };
  const cpu = taken(/^\[(\d{1,6})\]$/);
  const seconds = taken(/^(\d{1,15}\.\d{1,9}):$/);
  const period = taken(/^(\d{1,20})$/);
  const event = taken(/^([^\s\d]\S*[^\s:]|[^\s\d]):$/);
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

/** The name of an event without the letters that say how it was counted: `cpu-clock` of `cpu-clock:uH`. */
export function eventName(event: string): string {
  return event.replace(/:[ukhGHpPSDIWeb]*$/, "");
}
