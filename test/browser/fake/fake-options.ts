/** What a fake page holds. */
export interface FakeOptions {
  readonly series: number;
  readonly points: number;
  /** Whether texts are hostile. */
  readonly hostile: boolean;
  /** Whether it is the dashboard. */
  readonly live: boolean;
}
