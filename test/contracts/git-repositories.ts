import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VersionId } from "../../src/core/versions/digest.ts";
import type { Environment, VcsPlugin } from "../../src/plugins/vcs/vcs.ts";
import type { ScriptedRepository } from "./vcs.ts";

/** Repositories with the history of the contract, made by the `git` program for a plug-in that reads them. */
export interface GitRepositories {
  /** A new repository for each test. */
  make(): ScriptedRepository;
  /** Runs git in a directory; answers what it printed. `at`: the date of what it makes. */
  run(directory: string, args: readonly string[], at?: number): string;
  readonly environment: Environment;
  readonly date: number;
  /** What all of them were copied from. Call it after the last test. */
  removeAll(): void;
}

const date = 1_700_000_000;

export function gitRepositories(plugin: VcsPlugin, format: "sha1" | "sha256" = "sha1"): GitRepositories {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "git-test-")));
  const template = join(home, format);
  const run: GitRepositories["run"] = (directory, args, at = date) => runGit(home, directory, args, at);
  let ids: ScriptedRepository["ids"] | undefined;
  return {
    environment: environmentOf(home),
    date,
    run,
    make() {
      ids ??= script(run, home, template, format);
      const path = realpathSync(mkdtempSync(join(tmpdir(), "git-test-")));
      cpSync(template, path, { recursive: true, preserveTimestamps: true });
      return {
        plugin,
        environment: environmentOf(home),
        path,
        ids,
        date,
        author: "Zoë \x1f Ünal",
        email: "zoe@example.com",
        ownFiles: { metadata: ".git", ignore: ".gitignore" },
        stage: (name) => run(path, ["add", "--", name]),
        stash: () => run(path, ["stash", "--quiet"]),
        plantTraps: (canary) => plantTraps(run, path, canary),
        fingerprint: () => fingerprint(run, path),
        remove: () => rmSync(path, { recursive: true, force: true }),
      };
    },
    removeAll: () => rmSync(home, { recursive: true, force: true }),
  };
}

function environmentOf(home: string): Environment {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_DIR: "/nonexistent/of-a-hook",
    GIT_INDEX_FILE: "/nonexistent/index",
  };
}

function runGit(home: string, directory: string, args: readonly string[], at: number): string {
  const stamp = `${at} +0100`;
  const own = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Zoë \x1f Ünal"],
    [`GIT_${role}_EMAIL`, "zoe@example.com"],
    [`GIT_${role}_DATE`, stamp],
  ]);
  return execFileSync("git", [...args], {
    cwd: directory,
    encoding: "utf8",
    env: { ...own, ...Object.fromEntries(who) },
    stdio: "pipe",
  }).trimEnd();
}

/** The history of the contract, scripted. */
function script(run: GitRepositories["run"], home: string, path: string, format: string): ScriptedRepository["ids"] {
  run(home, ["init", "--quiet", `--object-format=${format}`, "--initial-branch=main", path]);
  const write = (name: string, content: string): void => writeFileSync(join(path, name), content);
  const commit = (message: string, minute: number): VersionId => {
    run(path, ["add", "--all"]);
    run(path, ["commit", "--quiet", "--allow-empty", "-m", message], date + minute * 60);
    return run(path, ["rev-parse", "HEAD"]) as VersionId;
  };
  write("f", "root\n");
  write(".gitignore", "*.o\n");
  const root = commit("Root", 0);
  write("f", "left\n");
  const left = commit("Left", 1);
  run(path, ["checkout", "--quiet", "-b", "side", root]);
  write("g", "right\n");
  const right = commit("Right", 2);
  run(path, ["checkout", "--quiet", "main"]);
  run(path, ["merge", "--quiet", "--no-ff", "-m", "Merge side", "side"], date + 180);
  const merge = run(path, ["rev-parse", "HEAD"]) as VersionId;
  run(path, ["tag", "-a", "-m", "annotated", "v1.0"]);
  write("f", "tip\n");
  const tip = commit("Tip, 日本語 and \x1f\n\nwith a body", 4);
  return { root, left, right, merge, tip };
}

function fingerprint(run: GitRepositories["run"], path: string): string {
  const index = readFileSync(join(path, ".git/index"));
  const hashes = ["untracked", "ignored.o", "f", "g"].map((name) => {
    const found = spawnSync("sha1sum", [name], { cwd: path, encoding: "utf8" });
    return found.stdout;
  });
  const seen = [
    readFileSync(join(path, ".git/HEAD"), "utf8"),
    createHash("sha1").update(index).digest("hex"),
    run(path, ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--show-stash", "--ignored"]),
    run(path, ["stash", "list"]),
    run(path, ["for-each-ref"]),
    readdirSync(path).join(),
  ];
  return [...seen, ...hashes].join("\n");
}

/** Every setting known to make git run a program, each creating a file beside `canary`. */
function plantTraps(run: GitRepositories["run"], path: string, canary: string): void {
  const trap = join(path, ".git/trap");
  writeFileSync(trap, `#!/bin/sh\ntouch '${canary}'-"$(basename "$0")"\nexit 0\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(path, ".git/traps"));
  for (const hook of [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-commit",
    "post-merge",
    "fsmonitor-watchman",
  ]) {
    cpSync(trap, join(path, ".git/hooks", hook));
    cpSync(trap, join(path, ".git/traps", hook));
  }
  const settings = {
    "core.fsmonitor": trap,
    "core.hooksPath": join(path, ".git/traps"),
    "core.pager": trap,
    "core.editor": trap,
    "core.sshCommand": trap,
    "core.askPass": trap,
    "core.alternateRefsCommand": trap,
    "pager.log": trap,
    "pager.diff": trap,
    "diff.external": trap,
    "diff.evil.command": trap,
    "diff.evil.textconv": trap,
    "log.showSignature": "true",
    "gpg.program": trap,
    "credential.helper": trap,
    "log.follow": "true",
    "log.decorate": "full",
    "format.pretty": "oneline",
    "color.ui": "always",
    "diff.noprefix": "true",
    "status.showStash": "true",
    "alias.log": `!${trap}`,
    "alias.rev-parse": `!${trap}`,
    "submodule.recurse": "true",
    "extensions.partialClone": "evil",
    "remote.evil.promisor": "true",
    "remote.evil.url": join(path, ".git"),
    "remote.evil.uploadpack": trap,
    "protocol.allow": "always",
  };
  run(path, ["config", "core.repositoryFormatVersion", "1"]);
  for (const [name, value] of Object.entries(settings)) run(path, ["config", name, value]);
  writeFileSync(join(path, ".git/info/attributes"), "* diff=evil\n");
}
