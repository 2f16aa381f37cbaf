/** How finely one number is judged: what `calibrate` found out, as a tracked file keeps it. */
export interface SubjectThreshold {
  /** `Subject.key`. */
  readonly key: string;
  /** The detector that level and least effect are of. */
  readonly method: string;
  /**
   * How likely a series without a change may show one, as the detector's option `max-pvalue` has it; null: the
   * detector's own.
   */
  readonly level: number | null;
  /** The least change in history, as a share, that counts. */
  readonly minEffect: number;
  /** The least difference, as a share, that counts where two versions are compared; null: as without a threshold. */
  readonly compareMinEffect: number | null;
}
