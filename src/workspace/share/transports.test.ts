import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  daemonServer,
  httpServer,
  sshServer,
  whyNoSshd,
  type GitServer,
  type HttpManners,
} from "../../../test/fakes/git-servers.ts";
import { SharingInstance, sharedVersions } from "../../../test/fakes/sharing-instance.ts";
import type { Failure } from "../../core/failures/failure.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-transports-")));
const servers: GitServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(scratch, { recursive: true, force: true });
});

const [v1 = "" as never] = sharedVersions;
const ref = "refs/perfkeep/data/v1";
let count = 0;
let remote: string;
let name: string;

/** A new bare repository below `scratch` for each test. */
beforeEach(() => {
  name = `r${count++}.git`;
  remote = join(scratch, name);
  git(scratch, "init", "--quiet", "--bare", name);
});

function git(directory: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", words, {
    cwd: directory,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

function instance(address: string, variables: Readonly<Record<string, string>> = {}): Promise<SharingInstance> {
  return new SharingInstance(join(scratch, `i${count++}`), address, variables).begin();
}

/** Expects a failure in one line that leaves the instance unchanged. */
async function refused(one: SharingInstance, verb: "push" | "pull"): Promise<string> {
  const before = one.everything();
  const failure = await one[verb]().then(
    () => null,
    (error: Failure) => error,
  );
  expect(failure, "it did not fail").not.toBeNull();
  expect(failure!.message).not.toContain("\n");
  expect(one.everything()).toEqual(before);
  return `${failure!.code}: ${failure!.message}`;
}

/** Two instances that share through `address` become equal. */
async function expectSharing(address: string, variables?: Readonly<Record<string, string>>): Promise<SharingInstance> {
  const [ada, bob] = [await instance(address, variables), await instance(address, variables)];
  ada.add(v1, "a.perf", 1, { filler: "x".repeat(3000) });
  expect((await ada.push()).wireBytes).toBeGreaterThan(0);
  bob.add(v1, "b.perf", 2);
  await bob.pull();
  await bob.push();
  await ada.pull();
  expect(ada.names(v1)).toEqual(["a.perf", "b.perf"]);
  expect(bob.snapshot({ objects: true })).toEqual(ada.snapshot({ objects: true }));
  return ada;
}

async function http(manners: HttpManners): Promise<string> {
  git(remote, "config", "http.receivepack", "true");
  const server = await httpServer(scratch, manners);
  servers.push(server);
  return `${server.address}/${name}`;
}

/** Certificates, logins, proxies and odd answers: test/cli/web-remotes.test.ts. */
describe("http", () => {
  test("pushes and pulls", async () => {
    const address = await http({});
    const ada = await expectSharing(address);
    git(remote, "config", "http.receivepack", "false");
    ada.add(v1, "c.perf", 3);
    expect(await refused(ada, "push")).toMatch(/^share-declined: .*403/);
    expect(await refused(await instance(`${address}x`), "pull")).toMatch(/^share-unreachable: .*not found/);
  });

  test("continues after a broken connection", async () => {
    const manners: HttpManners = {};
    const address = await http(manners);
    const [ada, bob] = [await instance(address), await instance(address)];
    // Hardly compressible.
    const filler = Array.from({ length: 20_000 }, (_, i) => ((i * 2_654_435_761) % 4_294_967_291).toString(36)).join(
      "",
    );
    ada.add(v1, "large.perf", 1, { filler });
    manners.cutRequest = 10_000;
    expect(await refused(ada, "push")).toMatch(/^share-failed: cannot push to http/);
    expect(spawnSync("git", ["rev-parse", "--verify", "--quiet", ref], { cwd: remote }).status).toBe(1);
    delete manners.cutRequest;
    await ada.push();
    manners.cutAnswer = 10_000;
    expect(await refused(bob, "pull")).toMatch(/^share-failed: cannot fetch from http/);
    delete manners.cutAnswer;
    await bob.pull();
    expect(bob.snapshot({ objects: true })).toEqual(ada.snapshot({ objects: true }));
  });
});

test("git:// pushes and pulls, and reports refusals", async () => {
  const [open, closed] = [await daemonServer(scratch, true), await daemonServer(scratch, false)];
  servers.push(open, closed);
  await expectSharing(`${open.address}/${name}`);
  const bob = await instance(`${closed.address}/${name}`);
  bob.add(v1, "c.perf", 3);
  expect(await refused(bob, "push")).toMatch(/^share-declined: .*access denied/);
  expect((await bob.pull()).summary.counts["profiles added"]).toBe(2);
  await closed.close();
  expect(await refused(bob, "pull")).toMatch(/^share-unreachable: .*unable to connect/);
});

const noSshd = whyNoSshd();
describe.skipIf(noSshd !== null)(`ssh${noSshd === null ? "" : ` (skipped: ${noSshd})`}`, () => {
  test("pushes and pulls, and reports login failures", async () => {
    const server = await sshServer(scratch);
    servers.push(server);
    const address = `${server.address}${remote}`;
    const environment = { GIT_SSH_COMMAND: server.command() };
    const [ada, bob] = [await instance(address, environment), await instance(address, environment)];
    ada.add(v1, "a.perf", 1);
    await ada.push();
    await bob.pull();
    expect(bob.snapshot({ objects: true })).toEqual(ada.snapshot({ objects: true }));
    const others = async (command: string, target = address): Promise<string> =>
      refused(await instance(target, { GIT_SSH_COMMAND: command }), "pull");
    expect(await others(server.command("stranger"))).toMatch(/^share-login: .*Permission denied/);
    expect(await others(server.command("key", "none"))).toMatch(/^share-login: .*Host key verification failed/);
    expect(await others(server.command(), `${address}x`)).toMatch(
      /^share-unreachable: .*does not appear to be a git repository/,
    );
    expect(await others("no-such-program")).toMatch(/^share-unreachable: .*cannot run no-such-program/);
    await server.close();
    expect(await refused(ada, "push")).toMatch(/^share-unreachable: .*Connection refused/);
  });
});

test("disables prompts without a terminal", async () => {
  const program = join(scratch, "asked");
  writeFileSync(program, `#!/bin/sh\nenv > ${program}.txt\nexit 1\n`, { mode: 0o755 });
  const asked = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    await refused(
      await instance("ssh://localhost/x", { GIT_SSH: program, GIT_SSH_VARIANT: "simple", ...variables }),
      "pull",
    );
    return spawnSync("grep", ["-E", "^(SSH_ASKPASS|SSH_ASKPASS_REQUIRE|GIT_TERMINAL_PROMPT)=", `${program}.txt`], {
      encoding: "utf8",
    }).stdout;
  };
  expect((await asked({})).split("\n").toSorted().join(" ").trim()).toBe(
    "GIT_TERMINAL_PROMPT=0 SSH_ASKPASS=false SSH_ASKPASS_REQUIRE=force",
  );
  // Keeps a graphical askpass.
  expect((await asked({ SSH_ASKPASS: "ksshaskpass", GIT_TERMINAL_PROMPT: "1" })).trim().split("\n").toSorted()).toEqual(
    ["GIT_TERMINAL_PROMPT=1", "SSH_ASKPASS=ksshaskpass"],
  );
});

describe("a remote that refuses", () => {
  const hook = (text: string): void => {
    mkdirSync(join(remote, "hooks"), { recursive: true });
    writeFileSync(join(remote, "hooks", "pre-receive"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };
  const settings: readonly (readonly [string, string, string, string])[] = [
    ["receive.hideRefs", "refs/perfkeep", "share-declined", "it hides the ref"],
    ["transfer.hideRefs", "refs/perfkeep", "share-declined", "hidden ref"],
    ["uploadpack.hideRefs", "refs/perfkeep", "share-declined", "it hides the ref"],
    ["receive.maxInputSize", "100", "share-too-large", "pack exceeds maximum allowed size"],
  ];
  test.each(settings)("%s is reported; without it the push succeeds", async (key, value, code, reason) => {
    const ada = await instance(remote);
    ada.add(v1, "a.perf", 1);
    await ada.push();
    git(remote, "config", key, value);
    ada.add(v1, "b.perf", 2);
    const output = await refused(ada, "push");
    expect(output).toMatch(new RegExp(`^${code}: cannot push to .*${reason}`));
    git(remote, "config", "--unset", key);
    await ada.push();
    expect((await ada.push()).sent).toEqual([]);
  });

  test("messages of a hook and a stale lock of the ref are reported", async () => {
    const ada = await instance(remote);
    ada.add(v1, "a.perf", 1);
    hook("echo Only builds may write here >&2; printf '\\033[2Jx\\n' >&2; exit 1");
    expect(await refused(ada, "push")).toMatch(
      /^share-declined: .*pre-receive hook declined: Only builds may write here/,
    );
    rmSync(join(remote, "hooks", "pre-receive"));
    const lock = join(remote, `${ref}.lock`);
    mkdirSync(join(remote, "refs/perfkeep/data"), { recursive: true });
    writeFileSync(lock, "");
    expect(await refused(ada, "push")).toMatch(/^share-failed: .*cannot lock ref.*File exists/);
    rmSync(lock);
    expect((await ada.push()).sent).not.toEqual([]);
  });

  test("a SHA-256 repository is reported", async () => {
    rmSync(remote, { recursive: true });
    git(scratch, "init", "--quiet", "--bare", "--object-format=sha256", name);
    const ada = await instance(remote);
    ada.add(v1, "a.perf", 1);
    expect(await refused(ada, "push")).toMatch(/^share-declined: .*hash algorithm/);
  });
});

test.each(["0", "2"])(
  "protocol %s, with strict settings of the remote, in a folder with an unusual name",
  async (version) => {
    const odd = join(scratch, `-${version} ü–✓ q'u"o $(touch x);& col:on back\\slash.git`);
    git(scratch, "init", "--quiet", "--bare", "--", odd);
    for (const key of ["transfer.fsckObjects", "receive.denyDeletes", "receive.denyNonFastForwards"])
      git(odd, "config", key, "true");
    git(odd, "config", "core.sharedRepository", "group");
    await expectSharing(odd, {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "protocol.version",
      GIT_CONFIG_VALUE_0: version,
    });
  },
);
