import cliProgress from "cli-progress";
import { cutToWidth, terminalText } from "../core/text/index.ts";
import type { Session } from "./session.ts";

/** A progress bar on a terminal; silent elsewhere. */
export interface Progress {
  /** `done` of `total`, both in any unit; `what` is untrusted text. */
  show(done: number, total: number, what: string): void;
  /** Removes the bar to print lines; the next `show` draws it again. */
  hide(): void;
  /** Starts a new phase: removes the bar and restarts the estimate. */
  phase(): void;
}

const silent: Progress = { show: () => {}, hide: () => {}, phase: () => {} };

/** The bar appears after this time. */
const delayMs = 1000;

export function openProgress(session: Pick<Session, "streams" | "output" | "world">): Progress {
  const { stderr } = session.streams;
  if (!stderr.isTTY || session.output.options.quiet) return silent;
  const started = session.world.now();
  let since = started;
  let begin: number | undefined;
  let bar: cliProgress.SingleBar | undefined;
  const hide = (): void => {
    bar?.stop();
    bar = undefined;
  };
  const show = (done: number, total: number, what: string): void => {
    begin ??= done;
    const now = session.world.now();
    if (now - started < delayMs) return;
    const labels = {
      what: cutToWidth(terminalText(what), 40),
      left: timeLeft(now - since, done - begin, total - done),
    };
    if (!bar) {
      bar = newBar(stderr);
      bar.start(total, done, labels);
    } else {
      bar.setTotal(total);
      bar.update(done, labels);
    }
  };
  const phase = (): void => {
    hide();
    begin = undefined;
    since = session.world.now();
  };
  return { show, hide, phase };
}

/** Without an estimate of its own: ours outlives the bar, which is removed for each printed line. */
function newBar(stream: NodeJS.WritableStream): cliProgress.SingleBar {
  const format = "{bar} {percentage}% | {left} | {what}";
  return new cliProgress.SingleBar(
    { format, stream, hideCursor: true, clearOnComplete: true, stopOnComplete: false },
    cliProgress.Presets.shades_classic,
  );
}

/** The estimated remaining time, given that `done` took `elapsed` milliseconds. */
export function timeLeft(elapsed: number, done: number, rest: number): string {
  if (done <= 0) return "estimating";
  const seconds = Math.ceil(((elapsed / done) * rest) / 1000);
  if (seconds < 60) return `${seconds} s left`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s left`;
  return seconds < 360_000
    ? `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min left`
    : "days left";
}
