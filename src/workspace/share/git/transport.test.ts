import { expect, test } from "vitest";
import type { Environment, GitSettings, GitConnection } from "./git-environment.ts";
import type { GitAnswer, GitProgram } from "./git-program.ts";
import { userConnection, fetchShared } from "./transport.ts";
import { silentProgress } from "./share-progress.ts";

/** Arguments of git when it fetches from `address`, and the parsed size of its output. */
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

test.each(["/srv/hub.git", "file:///srv/hub.git"])("disables delta search when serving %s", async (address) => {
  const { words } = await fetched(address);
  expect(words).toContain("--upload-pack=git -c pack.window=0 upload-pack");
  expect(words.slice(words.indexOf("--"))).toEqual(["--", address, "+refs/perfkeep/data/v1:refs/x"]);
});

test.each(["https://example.org/hub.git", "git@example.org:hub.git", "ssh://example.org/hub.git"])(
  "uses the default upload-pack of %s",
  async (address) => expect((await fetched(address)).words.join(" ")).not.toContain("upload-pack"),
);

test("reads the bytes from the last progress line", async () => {
  const stderr = [
    "Receiving objects:  50% (1/2), 1.00 KiB | 1.00 MiB/s\r",
    "Receiving objects: 100% (2/2), 1.50 MiB | 2.00 MiB/s, done.\n",
  ].join("");
  expect((await fetched("/hub", stderr)).wireBytes).toBe(1_572_864);
});

/** Connection with settings of a repository, of which `globals` are global. */
function connectionWith(
  inRepository: GitSettings,
  globals: GitSettings,
  environment: Environment = {},
): Promise<GitConnection> {
  const stdout = globals.map(([name, value]) => `${name}\n${value}\0`).join("");
  const run = async (): Promise<GitAnswer> => ({ status: 0, stdout, stderr: "" });
  return userConnection(
    { run } as unknown as GitProgram,
    { settings: inRepository, directory: "/x", transports: [] },
    environment,
  );
}

test("adds only settings that are not global, with duplicates and in order", async () => {
  const helper = ["credential.helper", "store"] as const;
  const speed = ["http.https://x/.lowspeedtime", "1"] as const;
  const none = ["credential.helper", ""] as const;
  expect((await connectionWith([helper, speed, none, helper], [helper, speed])).settings).toEqual([none, helper]);
});

test("gives up on a silent server, unless the user has set a timeout", async () => {
  const patient = [
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "600"],
  ];
  expect((await connectionWith([], [])).settings).toEqual(patient);
  expect((await connectionWith([], [["http.lowspeedlimit", "0"]])).settings).toEqual([]);
  expect((await connectionWith([], [], { GIT_HTTP_LOW_SPEED_TIME: "0" })).settings).toEqual([]);
});

test.each<readonly [GitSettings, Environment, string]>([
  [[], {}, "file git http https ssh"],
  [[], { GIT_PROTOCOL_FROM_USER: "0" }, "git http https ssh"],
  [[["protocol.allow", "never"]], {}, ""],
  [[["protocol.allow", "Always"]], { GIT_PROTOCOL_FROM_USER: "false" }, "file git http https ssh"],
  [
    [
      ["protocol.allow", "never"],
      ["protocol.https.allow", "always"],
      ["protocol.ext.allow", "always"],
    ],
    {},
    "https",
  ],
  [[["protocol.ssh.allow", "nonsense"]], {}, "file git http https"],
  [[["protocol.allow", "never"]], { GIT_ALLOW_PROTOCOL: "ssh:ext:file" }, "file ssh"],
  [[], { GIT_ALLOW_PROTOCOL: "" }, ""],
])("settings %j and environment %j allow %j", async (settings, environment, allowed) => {
  expect((await connectionWith([], settings, environment)).transports.join(" ")).toBe(allowed);
});
