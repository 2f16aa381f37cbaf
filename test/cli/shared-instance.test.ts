import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Playground, programPath, scratchFolder, timeProfile } from "./program.ts";

/** Two users without a common name, and the group of both. */
const [ada, bob, group] = [61_001, 61_002, 61_000];

interface Member {
  readonly uid: number;
  readonly home: string;
}

function member(uid: number): Member {
  const home = scratchFolder();
  chownSync(home, uid, uid);
  writeFileSync(join(home, ".gitconfig"), "[safe]\n\tdirectory = *\n[user]\n\tname = x\n\temail = x@localhost\n");
  return { uid, home };
}

function as({ uid, home }: Member, folder: string, program: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    uid,
    gid: uid,
    env: { PATH: process.env["PATH"], HOME: home, XDG_CACHE_HOME: join(home, "cache"), TZ: "UTC" },
    encoding: "utf8",
  });
  return { status, stdout, stderr: stderr.replaceAll(/^npm warn.*\n/gm, "") };
}

const isRoot = process.getuid?.() === 0;

/** `setpriv` gives a process the common group as a second one. */
const hasSetpriv = isRoot && spawnSync("setpriv", ["--version"]).status === 0;
const canRead = hasSetpriv && asMember(ada, "test", "-r", programPath) === 0;

function asMember(uid: number, ...words: string[]): number | null {
  return spawnSync("setpriv", [`--reuid=${uid}`, `--regid=${uid}`, `--groups=${group}`, ...words]).status;
}

test.skipIf(!canRead)(
  "two users of a group work in one shared instance",
  () => {
    const [first, second] = [member(ada), member(bob)];
    const root = scratchFolder();
    chmodSync(root, 0o755);
    const project = join(root, "project");
    mkdirSync(project);
    chownSync(project, ada, group);
    chmodSync(project, 0o2775);
    const run = (who: Member, ...words: string[]): string => {
      const options = [`--reuid=${who.uid}`, `--regid=${who.uid}`, `--groups=${group}`];
      const program = words[0] === "git" ? words : [process.execPath, programPath, ...words];
      const ended = as({ ...who, uid: 0 }, project, "setpriv", ...options, ...program);
      expect({ ...ended, stdout: "" }, words.join(" ")).toMatchObject({ status: 0, stderr: expect.any(String) });
      return ended.stdout;
    };
    run(first, "git", "init", "--quiet", "--shared");
    run(first, "git", "commit", "--quiet", "--allow-empty", "-m", "x");
    const head = run(first, "git", "rev-parse", "HEAD").trim();
    run(first, "init", "--shared");
    run(first, "git", "init", "--quiet", "--bare", "--shared", "there.git");
    writeFileSync(join(project, "io.exp"), "*experiment io\n*parameter size int\n*result rate float\n");
    run(first, "experiment", "create", "io.exp");
    for (const [at, who] of [first, second, first, second].entries()) {
      writeFileSync(join(project, `${at}.perf`), timeProfile({ origin: head, amounts: [at + 1] }));
      chmodSync(join(project, `${at}.perf`), 0o666);
      run(who, "add", `${at}.perf`);
      writeFileSync(join(project, `${at}.csv`), `size,rate\n${at},1.5\n`);
      run(who, "import", "-e", "io", `${at}.csv`);
      run(who, "push", "./there.git");
      run(who, "pull", "./there.git");
      run(who, "gc");
      run(who, "fsck");
    }
    expect(run(second, "query", "io", "size", "--format", "csv").trim().split("\r\n")).toHaveLength(5);
    run(second, "rebuild", "experiments");
    run(first, "query", "io", "size");
  },
  120_000,
);

test("init --shared makes an instance writable for the group, also one that is present", () => {
  const place = new Playground();
  const origin = place.commit("first");
  const old = process.umask(0o027);
  try {
    place.ok("init");
    place.ok("add", place.write("a.perf", timeProfile({ origin, amounts: [1] })));
    expect(strictFiles(place.folder).length).toBeGreaterThan(3);
    place.ok("init", "--shared");
    place.ok("add", place.write("b.perf", timeProfile({ origin, amounts: [2] })));
    expect(strictFiles(place.folder)).toEqual([]);
  } finally {
    process.umask(old);
  }
});

/** Files and folders of the instance that the group cannot write. */
function strictFiles(folder: string): string[] {
  const perun = join(folder, ".perun");
  const paths = ["", ...(readdirSync(perun, { recursive: true }) as string[])].map((path) => join(perun, path));
  return paths.filter((path) => {
    const stats = lstatSync(path);
    return (stats.mode & (stats.isDirectory() ? 0o2070 : 0o060)) !== (stats.isDirectory() ? 0o2070 : 0o060);
  });
}
