/** Is told how far a push or pull has come. */
export interface ShareProgress {
  /** What comes next, for the user: "getting", "packing". Until the first `show` git may ask for a password. */
  phase(what: string): void;
  /** Both in any unit. */
  show(done: number, total: number): void;
}

/** Whoever does not want to know. */
export const silentProgress: ShareProgress = { phase: () => {}, show: () => {} };

/** Tells of what git prints while it fetches or pushes: `Receiving objects:  50% (1/2), 1.00 MiB`. */
export function progressParser(progress: ShareProgress): (printed: string) => void {
  return (printed) => {
    const told = [...printed.matchAll(/(?:Receiving|Unpacking|Writing) objects: +\d{1,3}% \((\d+)\/(\d+)\)/g)].at(-1);
    if (told !== undefined) progress.show(Number(told[1]), Number(told[2]));
  };
}
