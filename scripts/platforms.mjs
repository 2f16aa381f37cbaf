// Installs the lockfile's packages for each supported platform into a temporary folder, and prints which native
// bindings arrived. Needs the npm registry, so it is no stage of `npm test`; test/project/lockfile.test.ts checks that
// the lockfile names every platform.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const platforms = [
  { os: "linux", cpu: "x64", libc: "glibc", duckdb: "linux-x64", resvg: "linux-x64-gnu" },
  { os: "linux", cpu: "arm64", libc: "glibc", duckdb: "linux-arm64", resvg: "linux-arm64-gnu" },
  { os: "linux", cpu: "x64", libc: "musl", duckdb: "linux-x64-musl", resvg: "linux-x64-musl" },
  { os: "linux", cpu: "arm64", libc: "musl", duckdb: "linux-arm64-musl", resvg: "linux-arm64-musl" },
  { os: "darwin", cpu: "x64", duckdb: "darwin-x64", resvg: "darwin-x64" },
  { os: "darwin", cpu: "arm64", duckdb: "darwin-arm64", resvg: "darwin-arm64" },
  { os: "win32", cpu: "x64", duckdb: "win32-x64", resvg: "win32-x64-msvc" },
  { os: "win32", cpu: "arm64", duckdb: "win32-arm64", resvg: "win32-arm64-msvc" },
];

/** Installs for one platform. Returns npm's exit status and the bindings that are missing and that do not belong. */
function install({ os, cpu, libc, duckdb, resvg }) {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-platform-"));
  try {
    for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(root, name), join(folder, name));
    const target = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
    const quiet = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status, stderr } = spawnSync("npm", ["ci", ...target, ...quiet], { cwd: folder, encoding: "utf8" });
    if (status !== 0) return { status, missing: [stderr.trim()], foreign: [] };
    const wanted = [`@duckdb/node-bindings-${duckdb}`, `@resvg/resvg-js-${resvg}`];
    const present = bindings(folder);
    return {
      status,
      missing: wanted.filter((name) => !present.includes(name)),
      foreign: present.filter((name) => !wanted.includes(name)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installed packages that hold a native binding. */
function bindings(folder) {
  return ["@duckdb", "@resvg"].flatMap((scope) => {
    const within = join(folder, "node_modules", scope);
    return readdirSync(within)
      .filter((name) => readdirSync(join(within, name)).some((file) => file.endsWith(".node")))
      .map((name) => `${scope}/${name}`);
  });
}

if (!existsSync(join(root, "package-lock.json"))) throw new Error("package-lock.json is missing: run npm install");
let failed = false;
for (const platform of platforms) {
  const { status, missing, foreign } = install(platform);
  const label = [platform.os, platform.cpu, platform.libc].filter((word) => word !== undefined).join(" ");
  const passed = status === 0 && missing.length === 0 && foreign.length === 0;
  failed ||= !passed;
  const wrong = [...missing.map((name) => `missing ${name}`), ...foreign.map((name) => `foreign ${name}`)];
  console.log(
    `${passed ? "ok  " : "FAIL"} ${label.padEnd(18)} ${passed ? `bindings of ${platform.duckdb}` : wrong.join(", ")}`,
  );
}
process.exitCode = failed ? 1 : 0;
