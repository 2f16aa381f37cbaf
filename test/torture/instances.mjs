/** Copies of instances, with their databases on a PostgreSQL server, if their experiments are on one. */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleDoor } from "./bundle-door.mjs";
import { environmentPath } from "./operations.mjs";

/** Instances below `root`. `server`: see `openServer`. */
export class Instances {
  #number = 0;

  constructor(root, server) {
    Object.assign(this, { root, server });
  }

  async copy(folder) {
    const copy = join(this.root, `faults-${this.#number++}`);
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    if (this.server?.has(folder)) await this.server.create(copy, folder);
    return copy;
  }

  async remove(folder) {
    rmSync(folder, { recursive: true });
    if (this.server?.has(folder)) await this.server.remove(folder);
  }
}

/** Starts a server; undefined where none can be started. */
export async function openServer(root) {
  const door = await import(pathToFileURL(await bundleDoor(root, "ledger-door")).href);
  return door.noServer === undefined ? new DatabaseServer(await door.startServer()) : undefined;
}

/** A server with a database for each instance. */
class DatabaseServer {
  #folders = new Set();

  constructor(server) {
    this.server = server;
  }

  has(folder) {
    return this.#folders.has(folder);
  }

  /** Creates the database of an instance, a copy of that of `from` if given; commands in the instance use it. */
  async create(folder, from) {
    const template = from === undefined ? "" : ` template ${nameOf(from)}`;
    await this.server.run("postgres", `create database ${nameOf(folder)}${template}`);
    this.#folders.add(folder);
    const { user, port, password } = this.server;
    const address = `postgres://${user}@127.0.0.1:${port}/${nameOf(folder)}`;
    writeFileSync(join(folder, environmentPath), JSON.stringify({ PERFKEEP_DB: address, PGPASSWORD: password }));
  }

  /** Removes it; a killed command may still be connected. */
  async remove(folder) {
    await this.server.run("postgres", `drop database ${nameOf(folder)} with (force)`);
    this.#folders.delete(folder);
  }

  stop() {
    return this.server.stop();
  }
}

/** The name of the database of an instance. */
function nameOf(folder) {
  return basename(folder).replaceAll(/\W/g, "_");
}
