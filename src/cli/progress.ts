import cliProgress from "cli-progress";
import { cutToWidth, terminalText } from "../core/terminal-text.ts";
import type { Session } from "./session.ts";

/** A bar on the terminal while something takes long; nothing anywhere else. */
export interface Progress {
  /** `done` of `total`, both in any unit; `what` is untrusted text. */
  show(done: number, total: number, what: string): void;
  /** Takes the bar away, so that lines can be printed; the next `show` brings it back. */
  hide(): void;
}

const silent: Progress = { show: () => {}, hide: () => {} };

/** Nothing is drawn in the first second: what is quick needs no bar. */
const patienceMs = 1000;

export function openProgress(session: Session): Progress {
  const { stderr } = session.streams;
  if (!stderr.isTTY || session.output.options.quiet) return silent;
  const started = session.world.now();
  let bar: cliProgress.SingleBar | undefined;
  const hide = (): void => {
    bar?.stop();
    bar = undefined;
  };
  const show = (done: number, total: number, what: string): void => {
    if (session.world.now() - started < patienceMs) return;
    const label = cutToWidth(terminalText(what), 40);
    if (!bar) {
      bar = new cliProgress.SingleBar(
        {
          format: "{bar} {percentage}% | {eta_formatted} left | {what}",
          stream: stderr,
          hideCursor: true,
          clearOnComplete: true,
          stopOnComplete: false,
        },
        cliProgress.Presets.shades_classic,
      );
      bar.start(total, done, { what: label });
    } else bar.update(done, { what: label });
  };
  return { show, hide };
}
