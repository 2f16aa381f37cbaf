// Checks the package as it would be published: entries, declarations, files; and that a stranger's strict TypeScript can use it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { root, sourcesDigest } from "./prepare.mjs";

function check(what, command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return;
  console.log(`${what}:\n${stdout}${stderr}`);
  process.exit(1);
}

/** Compiles and runs a user's file against the built package. */
function checkAsUser() {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-user-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/perfkeep"));
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
    writeFileSync(
      join(folder, "user.ts"),
      `import * as perfkeep from "perfkeep";\nexport const names: string[] = Object.keys(perfkeep);\n`,
    );
    writeFileSync(join(folder, "user.mjs"), `import { Failure } from "perfkeep";\nif (typeof Failure !== "function") process.exit(1);\n`);
    const compiler = join(root, "node_modules/typescript-native/bin/tsc");
    const options = ["--strict", "--noEmit", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023", "--types", "node"];
    const typeRoots = ["--typeRoots", join(root, "node_modules/@types")];
    check("the declarations do not compile", process.execPath, [compiler, ...options, ...typeRoots, "user.ts"], folder);
    check("the library does not load", process.execPath, ["user.mjs"], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkManifest() {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true, pack: "npm" });
  for (const message of messages) console.log(`publint: ${formatMessage(message, pkg)}`);
  if (messages.length > 0) process.exit(1);
}

const stamp = join(root, "lib/.sources");
const current = existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesDigest();
if (!current) check("the build fails", process.execPath, [join(root, "scripts/build.mjs")], root);
checkAsUser();
await checkManifest();
