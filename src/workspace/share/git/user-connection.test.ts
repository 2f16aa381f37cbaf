import { expect, test } from "vitest";
import type { Environment, GitSettings, GitConnection } from "./git-environment.ts";
import type { GitAnswer, GitProgram } from "./git-program.ts";
import { userConnection } from "./transport.ts";

/** The way with `inRepository`, where `everywhere` is what git tells outside of it. */
function wayWith(
  inRepository: GitSettings,
  everywhere: GitSettings,
  environment: Environment = {},
): Promise<GitConnection> {
  const stdout = everywhere.map(([name, value]) => `${name}\n${value}\0`).join("");
  const run = async (): Promise<GitAnswer> => ({ status: 0, stdout, stderr: "" });
  return userConnection(
    { run } as unknown as GitProgram,
    { settings: inRepository, directory: "/x", transports: [] },
    environment,
  );
}

test("only what does not hold everywhere is added, as often as it does not, in its order", async () => {
  const helper = ["credential.helper", "store"] as const;
  const speed = ["http.https://x/.lowspeedtime", "1"] as const;
  const none = ["credential.helper", ""] as const;
  expect((await wayWith([helper, speed, none, helper], [helper, speed])).settings).toEqual([none, helper]);
});

test("a server that says nothing is given up, unless the user says how long to wait", async () => {
  const patient = [
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "600"],
  ];
  expect((await wayWith([], [])).settings).toEqual(patient);
  expect((await wayWith([], [["http.lowspeedlimit", "0"]])).settings).toEqual([]);
  expect((await wayWith([], [], { GIT_HTTP_LOW_SPEED_TIME: "0" })).settings).toEqual([]);
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
])("of %j and %j follows %j", async (settings, environment, allowed) => {
  expect((await wayWith([], settings, environment)).transports.join(" ")).toBe(allowed);
});
