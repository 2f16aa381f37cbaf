/** Options of a fake page. */
export interface FakeOptions {
  readonly series: number;
  readonly points: number;
  /** Whether texts are hostile. */
  readonly hostile: boolean;
  /** Whether it is the dashboard. */
  readonly live: boolean;
  /** Before all names of benchmarks. */
  readonly prefix?: string;
  /** Whether history is being analyzed: for the first time, or again. */
  readonly judging?: "first" | "again";
}
