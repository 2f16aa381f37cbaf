import { expect, test } from "vitest";
import type { GitAnswer, GitProgram } from "./git-program.ts";
import { silentProgress } from "./share-progress.ts";
import { fetchShared } from "./transport.ts";

/** The words that git is started with to fetch from `address`, and what becomes of its answer. */
async function fetched(address: string, stderr = ""): Promise<{ words: readonly string[]; wireBytes: number }> {
  let words: readonly string[] = [];
  const run = async (args: readonly string[]): Promise<GitAnswer> => {
    words = args;
    return { status: 0, stdout: "", stderr };
  };
  const connection = { settings: [], directory: "/", transports: [] };
  const remote = { name: "hub", isNamed: true, address, connection, key: "1234" };
  const { wireBytes } = await fetchShared({ run } as GitProgram, remote, "refs/x", silentProgress);
  return { words, wireBytes };
}

test.each(["/srv/hub.git", "file:///srv/hub.git"])(
  "what serves %s compares no profiles with each other",
  async (address) => {
    const { words } = await fetched(address);
    expect(words).toContain("--upload-pack=git -c pack.window=0 upload-pack");
    expect(words.slice(words.indexOf("--"))).toEqual(["--", address, "+refs/perfkeep/data/v1:refs/x"]);
  },
);

test.each(["https://example.org/hub.git", "git@example.org:hub.git", "ssh://example.org/hub.git"])(
  "the server behind %s is asked as every git asks",
  async (address) => expect((await fetched(address)).words.join(" ")).not.toContain("upload-pack"),
);

test("the last line of progress tells the bytes", async () => {
  const stderr =
    "Receiving objects:  50% (1/2), 1.00 KiB | 1.00 MiB/s\rReceiving objects: 100% (2/2), 1.50 MiB | 2.00 MiB/s, done.\n";
  expect((await fetched("/hub", stderr)).wireBytes).toBe(1_572_864);
});
