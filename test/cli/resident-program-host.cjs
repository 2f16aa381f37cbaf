/**
 * Runs the built program in this process for one request after another; an empty line ends it. Standard output and
 * error are files; each command finds them empty. Answers the exit status on file 3.
 */
const fs = require("node:fs");
const { dirname } = require("node:path");
const vm = require("node:vm");

const [programPath, requestsPath] = process.argv.slice(2);
const programFolder = dirname(programPath);
const requests = fs.openSync(requestsPath, "r+");
const endProcess = process.exit.bind(process);
const [umask, homeDirectory] = [process.umask(), process.cwd()];

/** The files of the program do not change: they are read and compiled once, and evaluated by every command. */
const [scripts, texts] = [new Map(), new Map()];
const { Script } = vm;
const { readFileSync } = fs;
fs.readFileSync = function (path, ...options) {
  if (typeof path !== "string" || !path.startsWith(programFolder)) return readFileSync(path, ...options);
  const key = JSON.stringify([path, options]);
  if (!texts.has(key)) texts.set(key, readFileSync(path, ...options));
  return texts.get(key);
};
vm.Script = function (source, options) {
  const { filename } = options ?? {};
  if (filename === undefined) return new Script(source, options);
  const script = scripts.get(filename) ?? new Script(source, options);
  scripts.set(filename, script);
  return script;
};

function nextRequest() {
  const pieces = [];
  const piece = Buffer.alloc(65_536);
  do {
    const length = fs.readSync(requests, piece, 0, piece.length, null);
    pieces.push(Buffer.from(piece.subarray(0, length)));
  } while (pieces.at(-1).at(-1) !== 10);
  return Buffer.concat(pieces).toString().trim();
}

function replaceEnvironment(environment) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
}

function clear() {
  process.umask(umask);
  process.exitCode = undefined;
  process.stdout.removeAllListeners();
  process.stderr.removeAllListeners();
  for (const event of process.eventNames()) if (String(event).startsWith("SIG")) process.removeAllListeners(event);
  process.chdir(homeDirectory);
}

async function perform({ script, words, directory, environment }) {
  for (const file of [1, 2]) fs.ftruncateSync(file);
  replaceEnvironment(environment);
  process.chdir(directory);
  process.argv = [process.execPath, script, ...words];
  delete require.cache[programPath];
  const status = await new Promise((resolve) => {
    process.exit = (code) => resolve(code ?? process.exitCode ?? 0);
    require(programPath);
  });
  clear();
  return status;
}

async function main() {
  for (let line = nextRequest(); line !== ""; line = nextRequest())
    fs.writeSync(3, `${await perform(JSON.parse(line))}\n`);
  endProcess(0);
}

void main();
