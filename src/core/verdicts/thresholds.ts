/** The threshold of one subject, computed by `calibrate` and stored in a tracked file. */
export interface SubjectThreshold {
  /** `Subject.key`. */
  readonly key: string;
  /** The detector of level and minimum effect. */
  readonly method: string;
  /** Accepted false-positive probability per series, for the detector's option `max-pvalue`; null: its default. */
  readonly level: number | null;
  /** The minimum relative change in history that counts. */
  readonly minEffect: number;
  /** The minimum relative difference of two compared commits that counts; null: the default. */
  readonly compareMinEffect: number | null;
}
