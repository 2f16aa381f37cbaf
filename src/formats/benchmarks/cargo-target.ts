/**
 * A line of cargo that tells which program of a package it runs: with the source first since 1.52, the path alone
 * before.
 */
const running = /^ {4,}Running (?:[^()]{1,500} \()?([^()]{1,500})\)?$/;

/**
 * The target that a line of cargo says is run, as `sums` of `Running benches/sums.rs
 * (target/release/deps/sums-785b854165cba87e)`; undefined for all other lines.
 */
export function cargoTarget(line: string): string | undefined {
  const path = running.exec(line)?.[1];
  return path
    ?.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/\.exe$/, "")
    .replace(/-[0-9a-f]{16}$/, "");
}
