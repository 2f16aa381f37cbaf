/** Progress of a push or pull. */
export interface ShareProgress {
  /**
   * The next phase for display, such as "getting" or "packing". Until the first `show` git may prompt for a password.
   */
  phase(what: string): void;
  /** Both in the same, arbitrary unit. */
  show(done: number, total: number): void;
}

/** Ignores progress. */
export const silentProgress: ShareProgress = { phase: () => {}, show: () => {} };

/** Reports the progress that git prints: `Receiving objects:  50% (1/2), 1.00 MiB`. */
export function progressParser(progress: ShareProgress): (printed: string) => void {
  return (printed) => {
    const match = [...printed.matchAll(/(?:Receiving|Unpacking|Writing) objects: +\d{1,3}% \((\d+)\/(\d+)\)/g)].at(-1);
    if (match !== undefined) progress.show(Number(match[1]), Number(match[2]));
  };
}
