/** Formats unix seconds as `YYYY-mm-dd HH:MM:SS` in the local time zone, like Perun. */
export function localTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
