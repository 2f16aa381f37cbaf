// The files of this project: those that git tracks, and new ones that it does not ignore.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export function projectFiles(root) {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return listed.split("\n").filter((file) => file !== "" && existsSync(join(root, file)));
}
