import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { redactLogin } from "../../core/text/index.ts";
import { lstatOrNull } from "../../store/durable/index.ts";
import type { RemoteAddresses, Remotes } from "../../plugins/vcs/vcs.ts";
import { type ConfirmCommands, isAddress } from "../config/index.ts";
import type { Workspace } from "../workspace.ts";
import { transports, type GitSettings } from "./git/git-environment.ts";
import type { ShareRemote } from "./git/transport.ts";
import { type LocatedRemotes, remotePrograms } from "./remote-programs.ts";

/**
 * Resolves the remote to share with: the given remote, folder or address, else `share.remote`, else origin, else the
 * only remote. A push URL of a remote is used for both push and the fetch before it. Fails with `no-share-remote`; with
 * `not-trusted` if the instance identity names an address, or the repository's own configuration names programs for
 * the remote that neither `trust` nor `confirm` has allowed.
 */
export async function resolveRemote(
  workspace: Workspace,
  given: string | undefined,
  way: keyof RemoteAddresses,
  confirm: ConfirmCommands = null,
): Promise<ShareRemote> {
  const remotes = await remotesOf(workspace);
  const { root, addresses, settings } = remotes;
  const named = given ?? (await configuredRemote(workspace)) ?? defaultRemote(addresses);
  const configuredAddress = addresses.get(named)?.[way];
  const selected = configuredAddress === undefined && given !== undefined ? withFolder(workspace, given) : named;
  if (configuredAddress === undefined && !isAddress(selected))
    throw new Failure("no-share-remote", {
      name: selected,
      reason: `the repository has ${describeRemotes(addresses)}`,
    });
  const address =
    configuredAddress === undefined
      ? checkAddress(selected, workspace.world.directory)
      : checkAddress(configuredAddress, root);
  await workspace.trust().requirePrograms(remotePrograms(remotes, selected), confirm);
  return {
    name: configuredAddress === undefined ? displayAddress(address) : selected,
    isNamed: configuredAddress !== undefined,
    address,
    connection: {
      settings: configuredAddress === undefined ? settings : settingsOf(selected, address, settings),
      directory: root,
      transports,
    },
    key: keyOf(configuredAddress === undefined ? identityOfAddress(address) : selected),
  };
}

/**
 * Git gets the address instead of the name, so settings of the name are copied to the address. The address is already
 * rewritten by insteadOf, so it maps to identity.
 */
function settingsOf(name: string, address: string, settings: GitSettings): GitSettings {
  const prefix = `remote.${name}.`;
  const own = settings.filter(([key]) => key.startsWith(prefix) && !key.slice(prefix.length).includes("."));
  const identity = ["insteadOf", "pushInsteadOf"].map((short) => [`url.${address}.${short}`, address] as const);
  return [
    ...settings,
    ...own.map(([key, value]) => [`remote.${address}.${key.slice(prefix.length)}`, value] as const),
    ...identity,
  ];
}

/**
 * The path of a folder without a slash in its name, as git takes it; other words are returned. Only for what users
 * write: names in a configuration are remotes.
 */
function withFolder({ files }: Workspace, word: string): string {
  const isName = word !== "" && !isAddress(word) && !word.includes("\0");
  return isName && lstatOrNull(files.resolve(word))?.isDirectory() === true ? files.resolve(word) : word;
}

async function remotesOf(workspace: Workspace): Promise<LocatedRemotes> {
  const vcs = await workspace.vcs();
  const remotes = (await vcs.remotes?.()) ?? { addresses: new Map<string, RemoteAddresses>(), settings: [] };
  return { ...remotes, root: vcs.root };
}

async function configuredRemote(workspace: Workspace): Promise<string | undefined> {
  const config = await workspace.config();
  const found = config.find("share.remote");
  const given = config.text("share.remote");
  if (given === "") return undefined;
  if (found?.layer.name === "local" && isAddress(given)) await workspace.trust().require(config, null);
  return given;
}

function defaultRemote(addresses: Remotes["addresses"]): string {
  if (addresses.has("origin")) return "origin";
  const [only, ...others] = addresses.keys();
  if (only !== undefined && others.length === 0) return only;
  throw new Failure("no-share-remote", { reason: `the repository has ${describeRemotes(addresses)}` });
}

function describeRemotes(addresses: Remotes["addresses"]): string {
  const names = [...addresses.keys()];
  return names.length === 0 ? "no remotes" : `the remotes ${names.slice(0, 20).join(", ")}`;
}

/**
 * Validates an address for git: an allowed transport, or a folder, made absolute from `directory`. Refuses anything
 * that git would read as an option or as the name of a remote helper.
 */
function checkAddress(address: string, directory: string): string {
  const refuse = (reason: string): Failure => new Failure("no-share-remote", { name: displayAddress(address), reason });
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (address === "" || /[\u0000-\u001f\u007f]/.test(address)) throw refuse("it is not an address");
  if (address.startsWith("-")) throw refuse("it starts like an option");
  if (/^[A-Za-z0-9][A-Za-z0-9+.-]*::/.test(address)) throw refuse(unsupportedTransport);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && !transports.includes(scheme)) throw refuse(unsupportedTransport);
  if (/^https?:/i.test(address) && !isWebAddress(address))
    throw refuse("it is not a valid URL; in names and passwords %2F encodes a slash, %40 for @, %23 for #");
  // host:path, which git reads as ssh, has its colon before any slash.
  if (scheme !== undefined || /^[^/\\]+:/.test(address)) return address;
  return resolve(directory, address);
}

const unsupportedTransport = `only ${transports.join(", ")} are supported`;

/** Curl parses URLs less strictly; a different interpretation could send a password to another host. */
function isWebAddress(address: string): boolean {
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(address)?.[1] ?? "";
  return URL.canParse(address) && !/[\s'"<>]|@.*@/.test(authority);
}

/** For messages. */
function displayAddress(address: string): string {
  return redactLogin(address).slice(0, 200);
}

/** Ignores the login, so that a new token keeps the stored state, and no password can be derived from its name. */
function identityOfAddress(address: string): string {
  return /^https?:/i.test(address) ? redactLogin(address) : address;
}

/** Sixteen hex digits, since names and addresses may contain any characters. */
function keyOf(name: string): string {
  return createHash("sha1").update(name).digest("hex").slice(0, 16);
}
