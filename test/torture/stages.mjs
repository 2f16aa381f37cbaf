/** Concurrent processes, random kills, flipped bits, full disks. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomNumbers } from "./random.mjs";
import { acknowledged, run, runAndKill } from "./scene.mjs";
import { checkManners, checkNothingLost, checkRecovery, judge } from "./verdict.mjs";

/** `crowd` processes at once, each adding `each` profiles to the same version, within `limit` seconds. */
export async function parallelAdds(scene, crowd, each, limit = Infinity) {
  const groups = Array.from({ length: crowd }, (_, i) =>
    Array.from({ length: each }, (_unused, j) => `p${i}-${j}.perf`),
  );
  const names = groups.flat();
  const folder = scene.copy(names);
  const started = performance.now();
  const results = await Promise.all(groups.map((group) => scene.add(folder, group)));
  const seconds = (performance.now() - started) / 1000;
  const stdout = results.map((result) => result.stdout).join("");
  const late = seconds > limit ? [`it took ${seconds.toFixed(0)} s instead of ${limit}`] : [];
  const failed = results
    .filter((result) => result.status !== 0)
    .map((result) => `a process failed: ${result.status} ${result.stderr.slice(0, 300)}`);
  const complaints = await judge(
    folder,
    () => [...failed, ...late, ...results.flatMap(checkManners)],
    () =>
      acknowledged(stdout).size === names.length
        ? []
        : [`${acknowledged(stdout).size} of ${names.length} were reported as stored`],
    () => checkNothingLost(scene, folder, names, stdout),
    () => checkRecovery(scene, folder, names),
  );
  return { points: names.length, seconds, complaints };
}

/** Processes that take the lock in turn and often die holding it: exactly one of the others takes it over. */
export async function lockHeirs(scene, crowd, rounds) {
  const complaints = [];
  const folder = join(scene.root, "heirs");
  mkdirSync(folder);
  let deaths = 0;
  for (let round = 0; round < rounds; round++) {
    const words = (i) => [
      process.execPath,
      join(scene.root, "lock-driver.mjs"),
      join(folder, "lock"),
      join(folder, "mark"),
      "12",
      String(round * crowd + i),
    ];
    const results = await Promise.all(Array.from({ length: crowd }, (_, i) => run(words(i), folder)));
    deaths += results.filter((result) => result.signal === "SIGKILL").length;
    const said = results.flatMap(({ stdout, stderr }) =>
      `${stdout}${stderr}`.split("\n").filter((line) => line !== "turn" && line !== ""),
    );
    const stuck = results.filter((result) => result.isStuck).map(() => "a process waits for ever");
    complaints.push(...[...said, ...stuck].map((line) => `lock, round ${round}: ${line}`));
  }
  return { points: deaths, complaints };
}

/** Rounds of several concurrent adders, all killed at seeded random times. */
export async function randomKills(scene, rounds, seed) {
  const next = randomNumbers(seed);
  const complaints = [];
  for (let round = 0; round < rounds; round++) {
    const groups = Array.from({ length: 4 }, (_, i) => Array.from({ length: 6 }, (_unused, j) => `r${i}-${j}.perf`));
    const folder = scene.copy(groups.flat());
    const results = await Promise.all(
      groups.map((group) => runAndKill(scene.addWords(group), folder, 40 + next() * 260)),
    );
    const stdout = results.map((result) => result.stdout).join("");
    const found = await judge(
      folder,
      () => results.flatMap(checkManners),
      () => checkNothingLost(scene, folder, groups.flat(), stdout),
      () => checkRecovery(scene, folder, groups.flat()),
    );
    complaints.push(...found.map((complaint) => `random kills, seed ${seed}, round ${round}: ${complaint}`));
  }
  return { points: rounds * 4, complaints };
}

/**
 * Every single-bit flip and truncation of an index, appended bytes, and every bit flip of an object. The index is
 * decoded in memory; one damage in a hundred is also read through the store.
 */
export async function damage(scene) {
  const names = Array.from({ length: 24 }, (_, i) => `flip-${i}.perf`);
  const folder = scene.copy(names);
  const { stdout, stderr, status } = await scene.add(folder, names);
  if (status !== 0) return { points: 0, complaints: [`add failed: ${stderr}`] };
  const store = scene.store(folder);
  const digest = acknowledged(stdout).get(names[0]);
  const indexPath = pathOf(folder, scene.version);
  const decoded = everyDamage(indexPath, scene.door, (bytes) => scene.door.decodeIndex(bytes, littleEffort).entries, 1);
  const read = everyDamage(
    indexPath,
    scene.door,
    inPlace(indexPath, () => store.versions.entries(scene.version)),
    101,
  );
  const object = everyDamage(
    pathOf(folder, digest),
    scene.door,
    inPlace(pathOf(folder, digest), () => store.objects.get(digest)),
    1,
  );
  const complaints = [...decoded.complaints, ...read.complaints, ...object.complaints];
  // An index without a complete checksum is read as one of Perun, with the same entries.
  if (decoded.harmless > 1) complaints.push(`${decoded.harmless} damages of an index went unnoticed`);
  // zlib ignores the level bits of its header and the padding after the last block.
  if (object.harmless > 8) complaints.push(`${object.harmless} damages of an object went unnoticed`);
  if (complaints.length === 0) rmSync(folder, { recursive: true });
  return { points: decoded.points + read.points + object.points, complaints };
}

/** Hashing budget for explaining a wrong checksum; a small one only makes the test faster. */
const littleEffort = 10_000;

function inPlace(path, read) {
  return (bytes) => {
    writeFileSync(path, bytes);
    return read();
  };
}

/** Reads every `step`-th damaged version of a file: it must be reported as damaged or decode to the original. */
function everyDamage(path, { Failure }, read, step) {
  const whole = readFileSync(path);
  const before = comparable(read(whole));
  const counted = { points: 0, harmless: 0, complaints: [] };
  let number = 0;
  for (const damaged of damagesOf(whole)) {
    if (number++ % step !== 0) continue;
    counted.points += 1;
    try {
      if (comparable(read(damaged)) === before) counted.harmless += 1;
      else counted.complaints.push(`${path}: damage ${number} was read as something else`);
    } catch (error) {
      const isExpected = error instanceof Failure && /^(index|object)-damaged$/.test(error.code);
      if (!isExpected) counted.complaints.push(`${path}: damage ${number} gave ${error.name}: ${error.message}`);
    }
  }
  writeFileSync(path, whole);
  return { ...counted, complaints: counted.complaints.slice(0, 5) };
}

function* damagesOf(whole) {
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const flipped = new Uint8Array(whole);
    flipped[bit >> 3] ^= 1 << (bit & 7);
    yield flipped;
  }
  for (let length = 0; length < whole.length; length++) yield whole.subarray(0, length);
  for (const extra of [1, 2, 20, 45, 100]) yield Buffer.concat([whole, Buffer.alloc(extra)]);
}

function comparable(read) {
  return JSON.stringify(read, (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
  );
}

/** A store on a file system of half a megabyte that fills up; null if this user cannot mount one. */
export async function diskFull(scene) {
  const names = Array.from({ length: 60 }, (_, i) => `full-${String(i).padStart(2, "0")}.perf`);
  const folder = scene.copy([]);
  const perun = join(folder, ".perun");
  renameSync(perun, `${perun}-template`);
  mkdirSync(perun);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512k", "torture", perun], { encoding: "utf8" });
  if (mounted.status !== 0) return null;
  try {
    return await fillUp(scene, folder, names);
  } finally {
    spawnSync("umount", [perun]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fillUp(scene, folder, names) {
  const perun = join(folder, ".perun");
  await run(["cp", "-r", `${perun}-template/.`, perun], folder);
  for (const name of names) scene.pend(folder, name);
  writeFileSync(join(perun, "ballast"), Buffer.alloc(free(perun) - 16_384));
  const first = await scene.add(folder, names);
  const complaints = [...checkManners(first), ...(await checkNothingLost(scene, folder, names, first.stdout))];
  const stored = acknowledged(first.stdout).size;
  if (first.status === 0 || stored === names.length) complaints.push(`the disk did not fill up: ${stored} stored`);
  if (!/no space left/.test(first.stderr))
    complaints.push(`the full disk was not reported: ${first.stderr.slice(0, 300)}`);
  rmSync(join(perun, "ballast"));
  complaints.push(...(await checkRecovery(scene, folder, names)));
  return {
    points: names.length - stored,
    stored,
    complaints: complaints.map((complaint) => `disk full: ${complaint}`),
  };
}

function free(folder) {
  const { stdout } = spawnSync("stat", ["-f", "-c", "%a %S", folder], { encoding: "utf8" });
  const [blocks, size] = stdout.trim().split(" ").map(Number);
  return blocks * size;
}

function pathOf(folder, id) {
  return join(folder, ".perun", "objects", id.slice(0, 2), id.slice(2));
}
