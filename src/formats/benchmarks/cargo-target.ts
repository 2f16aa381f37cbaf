/**
 * The line in which cargo names the program it runs: source and path since 1.52, only the path before.
 */
const running = /^ {4,}Running (?:[^()]{1,500} \()?([^()]{1,500})\)?$/;

/**
 * The target in a line of cargo, e.g. `sums` in `Running benches/sums.rs
 * (target/release/deps/sums-785b854165cba87e)`; undefined for other lines.
 */
export function cargoTarget(line: string): string | undefined {
  const path = running.exec(line)?.[1];
  return path
    ?.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/\.exe$/, "")
    .replace(/-[0-9a-f]{16}$/, "");
}
