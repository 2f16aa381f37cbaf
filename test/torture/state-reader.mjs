/**
 * Reads states of instances for power-cut.mjs and command-faults.mjs. Profiles, configuration and statistics are read
 * once for equal files, and the database once for an equal file, log and record; a fingerprint of all rows is compared
 * with those of allowed states. Where it equals none, or a command reports something, and in a share of the others, all
 * experiments are dumped and exported too, another import follows, and `fsck`; in a share of these, each command is a
 * process of its own. A share repository is read in each state, before and after another push.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Checker } from "./checker.mjs";
import { differences, isOfDatabase } from "./instance-facts.mjs";
import { sharePath } from "./operations.mjs";

/** A part of a state: its files, and how it is read. */
const partsOf = {
  database: { isMember: isOfDatabase },
  files: { isMember: (path) => !isOfDatabase(path) },
};

/** Which part of the share that is read by all commands is read by processes. */
const ofProcesses = 0.2;

export class StateReader {
  counts = { whole: 0, byProcesses: 0, databases: 0, files: 0, shares: 0 };
  #known = { database: new Map(), files: new Map() };
  #folders = 0;

  /** `share`: of the states, those that are always read by all commands. */
  constructor({ root, share, random }) {
    Object.assign(this, { root, share, random });
    this.checkers = [new Checker(root), new Checker(root)];
  }

  close() {
    for (const checker of this.checkers) checker.close();
  }

  /** What both kinds of looks find in a state without a fault: an allowed state for `look`. `folder`: as there. */
  async allowed(disk, folder) {
    const [checker] = this.checkers;
    const share = await this.#share(checker, disk, folder);
    const quick = await this.#quick(checker, disk);
    const { folder: copy, ...whole } = await this.#whole(checker, disk);
    rmSync(copy, { recursive: true });
    const complaints = [share, quick, whole].flatMap((each) => each.complaints);
    return { facts: { ...whole.facts, ...share.facts }, own: whole.facts, quick: quick.facts, complaints };
  }

  /**
   * The facts and complaints of a state. `folder`: the instance with this state, if the next push may change it. The
   * answer has a `folder` if the state was read by all commands, which the caller removes.
   */
  async look(checker, disk, allowed, folder) {
    const share = await this.#share(checker, disk, folder);
    const own = await this.#instance(checker, disk, allowed);
    const complaints = [...share.complaints, ...own.complaints];
    return { ...own, facts: { ...own.facts, ...share.facts }, complaints };
  }

  async #instance(checker, disk, allowed) {
    const isChosen = this.random() < this.share;
    if (!isChosen) {
      const { facts, complaints, isUnusual } = await this.#quick(checker, disk);
      const same = allowed.find(({ quick }) => differences(facts, quick).length === 0);
      if (!isUnusual && complaints.length === 0 && same !== undefined) return { facts: same.own, complaints: [] };
    }
    return this.#whole(checker, disk, isChosen && this.random() < ofProcesses);
  }

  /** What an instance shares, if it has a share repository. */
  async #share(checker, disk, folder) {
    if (disk.find(sharePath) === undefined) return { facts: {}, complaints: [] };
    this.counts.shares += 1;
    const place = folder ?? this.#save(disk);
    const look = await checker.check({ folder: place, parts: ["share"] });
    if (folder === undefined) rmSync(place, { recursive: true });
    return look;
  }

  async #whole(checker, disk, byProcesses = false) {
    const folder = this.#save(disk);
    this.counts[byProcesses ? "byProcesses" : "whole"] += 1;
    return { ...(await checker.check({ folder, byProcesses })), folder };
  }

  async #quick(checker, disk) {
    const looks = [];
    let folder;
    // The database first: reading the files ends with a change.
    for (const [part, { isMember }] of Object.entries(partsOf)) {
      const digest = disk.digest(isMember);
      const known = this.#known[part].get(digest);
      if (known === undefined) {
        folder ??= this.#save(disk, part === "files" ? isMember : undefined);
        const look = await checker.check({ folder, parts: [part] });
        this.counts[part === "files" ? "files" : "databases"] += 1;
        looks.push(look);
        // A rebuild depends on other files, too.
        if (!look.isUnusual) this.#known[part].set(digest, look);
      } else looks.push(known);
    }
    if (folder !== undefined) rmSync(folder, { recursive: true });
    return {
      facts: Object.assign({}, ...looks.map(({ facts }) => facts)),
      complaints: looks.flatMap(({ complaints }) => complaints),
      isUnusual: looks.some(({ isUnusual }) => isUnusual),
    };
  }

  #save(disk, isMember) {
    const folder = join(this.root, `state-${this.#folders++}`);
    disk.save(folder, isMember);
    cpSync(join(this.root, "template/.git"), join(folder, ".git"), { recursive: true });
    return folder;
  }

  text() {
    const { whole, byProcesses, databases, files, shares } = this.counts;
    return (
      `${databases} databases, ${files} sets of files, ${shares} shares, ${whole} by all commands, ` +
      `${byProcesses} by processes`
    );
  }
}
