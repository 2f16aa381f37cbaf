/** Unix seconds as ISO 8601 in UTC: what JSON output carries. */
export function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
