import { expect, test } from "vitest";
import { commitUrlOf } from "./commit-labels.ts";

test.each([
  ["https://github.com/o/r.git", "https://github.com/o/r/commit/"],
  ["https://user:pa/ss@github.com/o/r", null],
  ["https://user:secret@github.com/o/r", "https://github.com/o/r/commit/"],
  ["git@github.com:o/r.git", "https://github.com/o/r/commit/"],
  ["ssh://git@gitlab.example.org:2222/group/sub/r.git", "https://gitlab.example.org/group/sub/r/-/commit/"],
  ["git@codeberg.org:o/r", "https://codeberg.org/o/r/commit/"],
  ["https://git.sr.ht/~o/r", "https://git.sr.ht/~o/r/commit/"],
  ["git@bitbucket.org:o/r.git", "https://bitbucket.org/o/r/commits/"],
  ["https://example.org/o/r.git", null],
  ["/srv/git/r.git", null],
  ["javascript:alert(1)//github.com/o/r", null],
  ['https://github.com/o/r"><script>', null],
  ["https://evil.org/github.com/o/r", null],
  ["", null],
])("%s is shown on its forge", (remote, url) => {
  expect(commitUrlOf(remote)).toBe(url);
});
