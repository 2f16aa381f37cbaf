import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GitServer } from "../fakes/git-servers.ts";
import { certificates, httpsServer, proxyServer, type Certificates } from "../fakes/web-servers.ts";
import { Playground, scratchFolder, timeProfile, type Ended } from "./program.ts";

const secret = "Tr0ub4dor";
const login = `ada:${secret}`;
const playground = new Playground();
const remotes = scratchFolder();
const template = playground.folder;
let made: Certificates;
let server: GitServer;
let proxy: GitServer;
let count = 0;

/** An instance with one profile, and a repository to share with. */
beforeAll(async () => {
  made = certificates(scratchFolder(), secret);
  server = await httpsServer(remotes, made, login);
  proxy = await proxyServer(login, server.address);
  const origin = playground.commit("first");
  playground.ok("init");
  playground.ok("add", playground.write("a.perf", timeProfile({ origin, amounts: [1] })));
  for (const name of ["r", "empty", "other", "third"]) {
    playground.git("init", "--quiet", "--bare", join(remotes, `${name}.git`));
    playground.git("-C", join(remotes, `${name}.git`), "config", "http.receivepack", "true");
  }
  playground.ok("push", join(remotes, "r.git"));
  for (const spare of [".perun/share", ".git/hooks"]) rmSync(join(template, spare), { recursive: true, force: true });
  cpSync(join(remotes, "r.git"), join(remotes, "a b ü.git"), { recursive: true });
});

afterAll(async () => {
  await server?.close();
  await proxy?.close();
});

/** What the user has set. Values may name `<server>`, `<proxy>`, `<ca>` and more. */
interface Case {
  /** Below the server; or a whole address. */
  readonly path?: string;
  readonly config?: readonly string[];
  readonly global?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Executable, in the user's folder. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** What is done, instead of a fetch of origin. */
  readonly words?: readonly string[];
  /** How it fails; else it does not. */
  readonly fails?: string | RegExp;
}

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly filled: (text: string) => string;
}

function placeOf({ path = "open/r.git", config = [], global = [], env = {}, scripts = {} }: Case): Place {
  const folder = join(scratchFolder(), `c${count++}`);
  cpSync(template, folder, { recursive: true });
  const values: Readonly<Record<string, string>> = {
    server: server.address,
    withLogin: server.address.replace("//", `//${login}@`),
    withWrong: server.address.replace("//", `//${login}x@`),
    number: server.address.replace("localhost", "127.0.0.1"),
    behind: "https://localhost:9",
    proxy: proxy.address,
    proxyWithName: proxy.address.replace("//", "//ada@"),
    proxyWithWrong: proxy.address.replace("//", `//${login}x@`),
    caText: readFileSync(made.authority, "utf8"),
    proxyWithLogin: proxy.address.replace("//", `//${login}@`),
    ca: made.authority,
    cert: made.client[0],
    key: made.client[1],
    lockedKey: made.client[2],
    remotes,
    folder,
    basic: Buffer.from(login).toString("base64"),
  };
  const filled = (text: string): string => text.replaceAll(/<(\w+)>/g, (whole, name: string) => values[name] ?? whole);
  const setting = (line: string): string => {
    const [, section, sub, name, value] = /^(\w+)(?:\.(.*))?\.(\w+)=(.*)$/.exec(filled(line))!;
    const head = `[${section}${sub === undefined ? "" : ` "${sub}"`}]`;
    return `${head}\n\t${name} = "${value!.replaceAll(/["\\]/g, "\\$&")}"\n`;
  };
  const address = /^<|:|^\//.test(path) ? path : `<server>/${path}`;
  appendFileSync(join(folder, ".git/config"), [`remote.origin.url=${address}`, ...config].map(setting).join(""));
  writeFileSync(join(folder, "global"), global.map(setting).join(""));
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), filled(text), { mode: 0o755 });
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  return { folder, env: { GIT_CONFIG_GLOBAL: join(folder, "global"), HOME: folder, ...variables }, filled };
}

async function ended(words: readonly string[], { folder, env }: Place, program?: string): Promise<Ended> {
  const running = playground.begin(words, { cwd: folder, env }, program);
  running.child.stdin.end();
  return running.ended;
}

/** Every file of an instance, but what is kept for sharing. */
function everything(folder: string): Readonly<Record<string, string>> {
  const files = filesOf(join(folder, ".perun")).filter((path) => !path.includes(".perun/share"));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, "latin1")]));
}

function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Settings of the repository itself that run programs, which the user has to trust first. */
const runsPrograms = /^(?:core\.(?:sshCommand|askPass)|credential\..*helper|remote\..*\.uploadpack)=/;

/** Does what is wanted, and sees that nothing tells the password; what fails has to fail for git itself, too. */
async function tried(wanted: Case): Promise<void> {
  const place = placeOf(wanted);
  if (wanted.config?.some((line) => runsPrograms.test(line))) {
    expect(await ended(["fetch"], place)).toMatchObject({ status: 77, stderr: expect.stringContaining("not-trusted") });
    expect((await ended(["trust"], place)).status).toBe(0);
  }
  const before = everything(place.folder);
  const words = wanted.words?.map(place.filled) ?? ["fetch"];
  const { status, stdout, stderr } = await ended(words, place);
  for (const text of [
    stdout,
    stderr,
    ...filesOf(join(place.folder, ".perun")).map((path) => readFileSync(path, "latin1")),
  ])
    for (const word of [secret, place.filled("<basic>")]) expect(text).not.toContain(word);
  if (wanted.fails === undefined) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return expect(stdout).toMatch(words[0] === "push" ? /^pushed to origin: / : /^already up to date with /);
  }
  expect(stderr).toMatch(/^perfkeep: error: [^\n]*\n$/);
  expect(stderr).toMatch(wanted.fails);
  expect(status).toBe(74);
  expect(everything(place.folder)).toEqual(before);
  if (wanted.words === undefined)
    expect((await ended(["ls-remote"], place, "git")).status, "git itself gets there").not.toBe(0);
}

const all = (cases: Readonly<Record<string, Case>>): void =>
  void test.concurrent.each(Object.entries(cases))("%s", async (_, wanted) => tried(wanted));

const trusted = ["http.sslCAInfo=<ca>"];
const asked = { config: trusted, path: "login/r.git" } as const;

describe("certificates", () => {
  all({
    "an authority of the repository's configuration": { config: trusted },
    "an authority for one server": { global: ["http.<server>.sslCAInfo=<ca>"] },
    "an authority of the environment": { env: { GIT_SSL_CAINFO: "<ca>" } },
    "an authority without a whole path": { config: ["http.sslCAInfo=ca.pem"], scripts: { "ca.pem": "<caText>" } },
    "settings that a configuration includes for this repository": {
      global: ["includeIf.gitdir:<folder>/.git.path=<folder>/more"],
      scripts: { more: "[http]\n\tsslCAInfo = <ca>\n" },
    },
    "no check": { config: ["http.sslVerify=false"] },
    "an authority that nobody knows": { fails: "[share-certificate]" },
    "a file of authorities that is not there": { config: ["http.sslCAInfo=/nowhere"], fails: "[share-certificate]" },
    "another name": { config: trusted, path: "<number>/open/r.git", fails: "[share-certificate]" },
    "a certificate of the client": {
      config: [...trusted, "http.sslCert=<cert>", "http.sslKey=<key>"],
      path: "known/r.git",
    },
    "no certificate of the client": { config: trusted, path: "known/r.git", fails: "[share-declined]" },
    "a key with a password and nobody to ask": {
      config: [...trusted, "http.sslCert=<cert>", "http.sslKey=<lockedKey>"],
      path: "known/r.git",
      fails: /share-(certificate|login)/,
    },
    "a key with a password and an askpass": {
      config: [
        ...trusted,
        "http.sslCert=<cert>",
        "http.sslKey=<lockedKey>",
        "http.sslCertPasswordProtected=true",
        "core.askPass=<folder>/ask",
      ],
      scripts: { ask: `#!/bin/sh\necho ${secret}\n` },
      path: "known/r.git",
    },
  });
});

describe("logins", () => {
  all({
    "nobody to ask": { ...asked, fails: "[share-login]" },
    "in the address of a remote": { ...asked, path: "<withLogin>/login/r.git" },
    "in an address": { ...asked, words: ["fetch", "<withLogin>/login/r.git"] },
    "a wrong one in an address": { ...asked, words: ["fetch", "<withWrong>/login/r.git"], fails: "[share-login]" },
    "by a helper that reads the environment": {
      ...asked,
      config: [...trusted, "credential.helper=!f() { echo username=$GIT_USERNAME; echo password=$GIT_PASSWORD; }; f"],
      env: { GIT_USERNAME: "ada", GIT_PASSWORD: secret },
    },
    "by a helper beside the code": {
      ...asked,
      config: [...trusted, "credential.helper=!./helper"],
      scripts: { helper: `#!/bin/sh\necho username=ada; echo password=${secret}\n` },
    },
    "by a helper, to push": {
      ...asked,
      path: "login/third.git",
      config: [...trusted, "credential.helper=!f() { echo username=ada; echo password=$TOKEN; }; f"],
      env: { TOKEN: secret },
      words: ["push"],
    },
    "nobody to ask, to push": { ...asked, words: ["push"], fails: "[share-login]" },
    "by a helper that is wrong": {
      ...asked,
      config: [...trusted, `credential.helper=!f() { echo username=ada; echo password=${secret}x; }; f`],
      fails: "[share-login]",
    },
    "by GIT_ASKPASS": {
      ...asked,
      env: { GIT_ASKPASS: "./ask", GIT_TOKEN: secret },
      scripts: { ask: '#!/bin/sh\ncase "$1" in User*) echo ada ;; *) echo $GIT_TOKEN ;; esac\n' },
    },
    "by .netrc": { ...asked, scripts: { ".netrc": `machine localhost login ada password ${secret}\n` } },
    "by a header": { ...asked, config: [...trusted, "http.<server>/.extraheader=Authorization: Basic <basic>"] },
  });
});

describe("proxies", () => {
  const behind = { config: trusted, path: "<behind>/open/r.git" } as const;
  all({
    "of the configuration": { ...behind, config: [...trusted, "http.proxy=<proxyWithLogin>"] },
    "of the remote": {
      ...behind,
      config: [...trusted, "http.proxy=http://127.0.0.1:1", "remote.origin.proxy=<proxyWithLogin>"],
    },
    "of the environment": { ...behind, env: { HTTPS_PROXY: "<proxyWithLogin>" } },
    "not for this server": { config: trusted, env: { https_proxy: "http://127.0.0.1:1", NO_PROXY: "localhost" } },
    "with a helper": {
      ...behind,
      config: [
        ...trusted,
        "http.proxy=<proxyWithName>",
        "credential.helper=!f() { echo username=ada; echo password=$GIT_PASSWORD; }; f",
      ],
      env: { GIT_PASSWORD: secret },
    },
    "without a password": { ...behind, config: [...trusted, "http.proxy=<proxy>"], fails: "[share-proxy]" },
    "with a wrong one": { ...behind, config: [...trusted, "http.proxy=<proxyWithWrong>"], fails: "[share-proxy]" },
    "that is not there": { config: [...trusted, "http.proxy=http://127.0.0.1:1"], fails: "[share-unreachable]" },
  });
});

describe("answers", () => {
  const answers = (path: string, fails: string, config: readonly string[] = []): Case => ({
    path: `${path}/r.git`,
    config: [...trusted, ...config],
    fails,
  });
  all({
    moved: { path: "moved/r.git", config: trusted },
    "moved, which nobody wants to follow": answers("moved", "[share-unreachable]", ["http.followRedirects=false"]),
    "moved for ever": answers("circle", "[share-unreachable]"),
    "401": answers("401", "[share-login]"),
    "403": answers("403", "[share-declined]"),
    "404": answers("404", "[share-unreachable]"),
    "413": answers("413", "[share-too-large]"),
    "429": answers("429", "[share-unreachable]"),
    "500": answers("500", "[share-unreachable]"),
    garbage: answers("garbage", "[share-unreachable]"),
    none: answers("silent", "[share-unreachable]", ["http.lowSpeedLimit=1", "http.lowSpeedTime=1"]),
    "a line that is cut": { config: trusted, path: "gone/r.git", fails: /share-(failed|unreachable)/ },
    "too much": { ...answers("small", "[share-too-large]"), path: "small/empty.git", words: ["push"] },
    "no server": { config: trusted, path: "<behind>/r.git", fails: "[share-unreachable]" },
    "500 for what is sent": { ...answers("broken", "[share-unreachable]"), path: "broken/empty.git", words: ["push"] },
  });
});

describe("ways", () => {
  const ssh = { "my ssh": '#!/bin/sh\nshift\nexec sh -c "$*"\n' };
  all({
    "short forms": { path: "short:r.git", config: [...trusted, "url.<server>/open/.insteadOf=short:"] },
    "a short form of itself": {
      path: "<server>/r.git",
      config: [...trusted, "url.<server>/open/.insteadOf=<server>/"],
    },
    "spaces and letters": { path: "open/a%20b%20%C3%BC.git", config: trusted },
    "a folder with spaces and letters": { path: "<remotes>/a b ü.git" },
    "a file with spaces and letters": { path: "file://<remotes>/a b ü.git" },
    "ssh by a script beside the code": {
      path: "ssh://host<remotes>/a b ü.git",
      config: ["core.sshCommand='./my ssh'"],
      scripts: ssh,
    },
    "ssh by a script of the environment": {
      path: "host:<remotes>/a b ü.git",
      env: { GIT_SSH_COMMAND: "'./my ssh'" },
      scripts: ssh,
    },
    "another program there": {
      path: "ssh://host<remotes>/r.git",
      config: ["core.sshCommand='./my ssh'", "remote.origin.uploadpack=<folder>/there"],
      scripts: { ...ssh, there: '#!/bin/sh\nexec git-upload-pack "$@"\n' },
    },
    "none allowed": { config: [...trusted, "protocol.allow=never"], fails: "[share-unreachable]" },
    "one not allowed": { config: trusted, global: ["protocol.https.allow=never"], fails: "[share-unreachable]" },
    "another one allowed": { config: trusted, env: { GIT_ALLOW_PROTOCOL: "ssh" }, fails: "[share-unreachable]" },
    "only what nobody named": {
      path: "<remotes>/r.git",
      env: { GIT_PROTOCOL_FROM_USER: "0" },
      fails: "[share-unreachable]",
    },
    "pushed elsewhere": {
      path: "404/r.git",
      config: [...trusted, "remote.origin.pushurl=<server>/open/empty.git"],
      words: ["push"],
    },
    "pushed elsewhere by a short form": {
      path: "404/r.git",
      config: [
        ...trusted,
        "remote.origin.pushurl=<server>/open/other.git",
        "url.<server>/500/.pushInsteadOf=<server>/open/",
      ],
      words: ["push"],
    },
  });
});
