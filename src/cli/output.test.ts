import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { PassThrough } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Output } from "./output.ts";

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "perfkeep-output-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  const output = new Output(
    { stdout: process.stdout, stderr: process.stderr },
    { file: path, quiet: true, verbose: false, color: false, hyperlinks: false, pager: undefined },
  );
  output.data(text);
  await output.close();
}

test("writes to a pipe or device given by -o without replacing it", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await write(pipe, "one");
    const bytes = new Uint8Array(10);
    expect(readSync(reader, bytes)).toBe(3);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(["pipe"]);
  } finally {
    closeSync(reader);
  }
});

test("treats a closed pipe like closed standard output", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const errors: unknown[] = [];
  const stdout = Object.assign(new PassThrough(), { fd: 1 }) as unknown as typeof process.stdout;
  stdout.on("error", (error: NodeJS.ErrnoException) => errors.push(error.code));
  const options = { file: pipe, quiet: true, verbose: false, color: false, hyperlinks: false, pager: undefined };
  const output = new Output({ stdout, stderr: process.stderr }, options);
  output.data("one");
  closeSync(reader);
  output.data("two");
  expect(errors).toEqual(["EPIPE"]);
  await output.close();
});

test("writes to the target of a symbolic link given by -o", async () => {
  const [file, link] = [join(folder, "file"), join(folder, "link")];
  writeFileSync(file, "old");
  symlinkSync("file", link);
  await write(link, "new");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("new");
});

test("keeps the permissions of an existing file", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "old");
  chmodSync(file, 0o600);
  await write(file, "new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe("new");
});

test("makes controls in notes and errors visible, and keeps a note on one line", async () => {
  const stderr = new PassThrough();
  const options = { file: undefined, quiet: false, verbose: true, color: true, hyperlinks: true, pager: undefined };
  const output = new Output({ stdout: process.stdout, stderr: stderr as unknown as typeof process.stderr }, options);
  output.note("a\u{1b}[2Jb\nc");
  output.detail("\u{202e}d");
  output.error("e\u{9b}m\n  at f");
  await output.close();
  expect(stderr.read()?.toString()).toBe("a^[[2Jb^Jc\n<U+202E>d\ne<U+009B>m\n  at f\n");
});
