import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VersionId } from "./digest.ts";
import { terminalLink, commitLinks } from "./forge-links.ts";

const id = "0123456789abcdef0123456789abcdef01234567" as VersionId;
const pageOf = (remote: string): string | undefined => commitLinks(remote)?.(id);

describe("commit links", () => {
  it.each([
    ["https://github.com/owner/project.git", `https://github.com/owner/project/commit/${id}`],
    ["https://user:secret@github.com/owner/project", `https://github.com/owner/project/commit/${id}`],
    ["http://GitHub.com/owner/project.js/", `https://github.com/owner/project.js/commit/${id}`],
    ["git@gitlab.com:group/sub/project.git", `https://gitlab.com/group/sub/project/-/commit/${id}`],
    ["ssh://git@bitbucket.org:22/owner/project.git", `https://bitbucket.org/owner/project/commits/${id}`],
    ["git@git.sr.ht:~owner/project", `https://git.sr.ht/~owner/project/commit/${id}`],
  ])("of %s", (remote, page) => expect(pageOf(remote)).toBe(page));

  it.each([
    "https://example.org/owner/project.git",
    "/srv/git/project.git",
    "../project",
    "file:///github.com/owner/project",
    "javascript://github.com/owner/project",
    "https://github.com/owner",
    "https://github.com/owner/../../project",
    "https://github.com/owner/project?x=1",
    "https://github.com/owner/pro ject",
    "https://github.com/owner/pro\x1b]8;;ject",
    "https://github.com@example.org/owner/project",
    "https://github.com.example.org/owner/project",
    "https://user\n@github.com/owner/project",
    "ext::sh -c whoami% github.com/owner/project",
    `https://github.com/owner/${"a".repeat(1000)}`,
    "constructor:owner/project",
  ])("of %j are none", (remote) => expect(pageOf(remote)).toBeUndefined());

  it("are https, of known hosts, plain characters and without passwords", () => {
    const part = fc.oneof(
      fc.constantFrom("https://", "git@", "github.com", ":", "/", "..", "s3cret@", "a", ".git"),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const page = pageOf(parts.join(""));
        if (page === undefined) return;
        expect(page).toMatch(/^https:\/\/[\w.-]+\/[\w./~-]+\/commits?\/[0-9a-f]{40}$/);
        expect(page).not.toMatch(/s3cret@|\/\.\.?\//);
      }),
    );
  });
});

it("terminal links contain no controls", () => {
  expect(terminalLink("shown", "https://example.org/a")).toBe("\x1b]8;;https://example.org/a\x1b\\shown\x1b]8;;\x1b\\");
  for (const address of [
    "javascript:alert(1)",
    "https://a b",
    "https://a\x07b",
    "https://é",
    `https://${"a".repeat(3000)}`,
  ])
    expect(terminalLink("shown", address)).toBe("shown");
});
