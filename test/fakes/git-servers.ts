import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, createServer as createSocket, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A local server for the repositories below a folder. */
export interface GitServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Behaviour of an HTTP server; may change while it runs. */
export interface HttpManners {
  /** Closes the connection after this many bytes of a response. */
  cutAnswer?: number;
  /** Closes the connection after this many bytes of a request. */
  cutRequest?: number;
}

const environment = { PATH: process.env["PATH"], LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };

/**
 * A smart HTTP server by `git http-backend`. Clients may push if `http.receivepack` of the repository allows it.
 */
export async function httpServer(root: string, manners: HttpManners): Promise<GitServer> {
  const server = createServer((request, response) => answerByGit(root, request, response, manners));
  return onLoopback(server, "http://127.0.0.1");
}

/** Starts the server on a free port. `origin`: without the port. */
export async function onLoopback(server: Server, origin: string): Promise<GitServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { address: `${origin}:${port}`, close };
}

/** Serves a request for the repositories below `root` with git. */
export function answerByGit(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  { cutAnswer = Infinity, cutRequest = Infinity }: HttpManners = {},
): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const {
    "content-type": type = "",
    "content-length": length,
    "content-encoding": encoding = "",
    "git-protocol": protocol = "",
  } = request.headers;
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: type,
      ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
      HTTP_CONTENT_ENCODING: encoding,
      GIT_PROTOCOL: String(protocol),
    },
    stdio: ["pipe", "pipe", "ignore"],
    // `git` starts a backend process, which would keep running if only `git` was killed.
    detached: true,
  });
  const end = (): void => {
    if (backend.exitCode !== null || backend.signalCode !== null || backend.pid === undefined) return;
    try {
      process.kill(-backend.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const cut = (): void => {
    request.socket.destroy();
    end();
  };
  response.on("close", end);
  let received = 0;
  request.on("data", (piece: Buffer) => (received += piece.length) > cutRequest && cut());
  request.pipe(backend.stdin).on("error", () => {});
  void passOn(backend.stdout, response, cutAnswer, cut);
}

/** Parses the response of a CGI program: headers with the status, then the body. */
async function passOn(
  stdout: AsyncIterable<Buffer>,
  response: ServerResponse,
  most: number,
  cut: () => void,
): Promise<void> {
  let head: Buffer = Buffer.alloc(0);
  let sent = 0;
  for await (const piece of stdout) {
    head = response.headersSent ? piece : Buffer.concat([head, piece]);
    const end = response.headersSent ? 0 : head.indexOf("\r\n\r\n") + 4;
    if (end === 3) continue;
    if (!response.headersSent) writeHead(head.toString("latin1", 0, end - 4), response);
    sent += head.length - end;
    if (sent > most) return cut();
    response.write(head.subarray(end));
  }
  response.end();
}

function writeHead(head: string, response: ServerResponse): void {
  const fields = new Map(
    head
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const),
  );
  for (const [name, value] of fields) if (name !== "Status") response.setHeader(name, value);
  response.writeHead(Number.parseInt(fields.get("Status") ?? "200", 10));
  response.flushHeaders();
}

/** A `git://` server. `writable`: clients may push. */
export async function daemonServer(root: string, writable: boolean): Promise<GitServer> {
  const port = await freePort();
  const words = [
    `--base-path=${root}`,
    "--export-all",
    "--listen=127.0.0.1",
    `--port=${port}`,
    "--reuseaddr",
    "--log-destination=none",
  ];
  if (writable) words.push("--enable=receive-pack");
  // Not the wrapper, because killing it would orphan the server.
  const program = join(spawnSync("git", ["--exec-path"], { encoding: "utf8" }).stdout.trim(), "git-daemon");
  return listening(
    spawn(program, [...words, root], { env: environment, stdio: "ignore" }),
    port,
    `git://127.0.0.1:${port}`,
  );
}

/** Why no SSH server can be tested; null if one can. */
export function whyNoSshd(): string | null {
  return existsSync(sshd) && spawnSync("ssh", ["-V"]).status === 0 ? null : "there is no sshd";
}

const sshd = "/usr/sbin/sshd";

/**
 * A local SSH server. `command`: the ssh command for git, with `key` (only "key" may log in) and a file of `known`
 * hosts (only "known" contains the server).
 */
export async function sshServer(
  scratch: string,
): Promise<GitServer & { command(key?: string, known?: string): string }> {
  const folder = join(scratch, "ssh");
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ["host", "key", "stranger"])
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)]);
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/key.pub`,
    `PidFile ${folder}/pid`,
    "StrictModes no",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "UsePAM no",
  ];
  writeFileSync(join(folder, "config"), `${lines.join("\n")}\n`);
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const host = spawnSync("cut", ["-d", " ", "-f", "1,2", join(folder, "host.pub")], { encoding: "utf8" }).stdout;
  writeFileSync(join(folder, "known"), `[127.0.0.1]:${port} ${host}`);
  chmodSync(join(folder, "key"), 0o600);
  const server = await listening(
    spawn(sshd, ["-D", "-f", join(folder, "config")], { stdio: "ignore" }),
    port,
    `ssh://127.0.0.1:${port}`,
  );
  const command = (key = "key", known = "known"): string =>
    `ssh -F none -i ${join(folder, key)} -o IdentitiesOnly=yes -o IdentityAgent=none ` +
    `-o UserKnownHostsFile=${join(folder, known)} -o GlobalKnownHostsFile=none`;
  return { ...server, command };
}

/** Waits until the server responds. */
async function listening(child: ChildProcess, port: number, address: string): Promise<GitServer> {
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  for (let tries = 0; tries < 200 && !(await answers(port)); tries++) await sleep(25);
  const close = (): Promise<void> => {
    child.kill();
    return ended;
  };
  return { address, close };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createSocket().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
