/** Unix seconds as ISO 8601 in UTC, as used in JSON output. */
export function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
