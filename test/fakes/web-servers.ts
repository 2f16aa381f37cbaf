import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { answerByGit, onLoopback, type GitServer } from "./git-servers.ts";

/**
 * Paths of certificates and keys: of an authority, of the server `localhost`, and of a client, whose key also exists
 * with a password.
 */
export interface Certificates {
  readonly authority: string;
  readonly server: readonly [certificate: string, key: string];
  readonly client: readonly [certificate: string, key: string, lockedKey: string];
}

/** Creates them in `folder`. */
export function certificates(folder: string, password: string): Certificates {
  const at = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): unknown => execFileSync("openssl", words, { stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-days",
    "36500",
    "-subj",
    "/CN=Authority",
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
  );
  writeFileSync(at("names"), "subjectAltName=DNS:localhost\n");
  for (const name of ["server", "client"]) {
    openssl("req", ...key, "-subj", `/CN=${name}`, "-keyout", at(`${name}.key`), "-out", at("request"));
    const signed = [
      "-CA",
      at("ca.pem"),
      "-CAkey",
      at("ca.key"),
      "-CAcreateserial",
      "-days",
      "36500",
      "-extfile",
      at("names"),
    ];
    openssl("x509", "-req", "-in", at("request"), ...signed, "-out", at(`${name}.pem`));
  }
  openssl("ec", "-in", at("client.key"), "-aes256", "-passout", `pass:${password}`, "-out", at("locked.key"));
  return {
    authority: at("ca.pem"),
    server: [at("server.pem"), at("server.key")],
    client: [at("client.pem"), at("client.key"), at("locked.key")],
  };
}

/** Handles requests below one folder; true: git serves the request. */
type Manner = (request: IncomingMessage, response: ServerResponse) => boolean;

const status =
  (code: number, isSelected: Manner = () => true): Manner =>
  (request, response) => {
    if (!isSelected(request, response)) return true;
    response.writeHead(code, code === 401 ? { "WWW-Authenticate": 'Basic realm="results"' } : {}).end("no\n");
    return false;
  };

const redirected =
  (target: (request: IncomingMessage) => string): Manner =>
  (request, response) => {
    response.writeHead(302, { Location: target(request) }).end();
    return false;
  };

const isSent: Manner = ({ url = "" }) => url.endsWith("/git-receive-pack");

/** Handlers by the first segment of the path. */
function mannersOf(login: string): Readonly<Record<string, Manner>> {
  const right = `Basic ${Buffer.from(login).toString("base64")}`;
  return {
    open: () => true,
    login: status(401, ({ headers }) => headers.authorization !== right),
    known: status(403, ({ socket }) => !(socket as TLSSocket).authorized),
    ...Object.fromEntries([401, 403, 404, 413, 429, 500].map((code) => [String(code), status(code)])),
    small: status(413, isSent),
    broken: status(500, isSent),
    garbage: (_, response) => {
      response.end("<html>\nWelcome\n</html>\n");
      return false;
    },
    silent: () => false,
    gone: ({ socket }) => {
      socket.destroy();
      return false;
    },
    moved: redirected(({ url = "" }) => url.replace("/moved/", "/open/")),
    circle: redirected(({ url = "" }) => url),
  };
}

/**
 * Smart https for the repositories below `root`: `/<manner>/<repository>`. Requests with a client certificate are
 * allowed.
 */
export async function httpsServer(
  root: string,
  { authority, server: [cert, key] }: Certificates,
  login: string,
): Promise<GitServer> {
  const manners = mannersOf(login);
  const options = {
    cert: readFileSync(cert),
    key: readFileSync(key),
    ca: readFileSync(authority),
    requestCert: true,
    rejectUnauthorized: false,
  };
  const server = createServer(options, (request, response) => {
    const [, manner = "", rest = ""] = /^\/([^/]*)(\/.*)$/.exec(request.url ?? "") ?? [];
    if (manners[manner]?.(request, response) !== true) return;
    request.url = rest;
    answerByGit(root, request, response);
  });
  return onLoopback(server, "https://localhost");
}

/** A proxy that connects clients with `login` to `target`, for any requested host. */
export async function proxyServer(login: string, target: string): Promise<GitServer> {
  const right = `Basic ${Buffer.from(login).toString("base64")}`;
  const led = new Set<Socket>();
  const server = createPlain((_, response) => response.writeHead(400).end());
  server.on("connect", (request, socket) => {
    socket.on("error", () => {});
    if (request.headers["proxy-authorization"] !== right) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n' +
          "Connection: close\r\n\r\n",
      );
      return;
    }
    led.add(socket as Socket);
    const there = connect(Number(new URL(target).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
    there.on("error", () => socket.destroy());
  });
  const { address, close } = await onLoopback(server, "http://127.0.0.1");
  const end = (): Promise<void> => {
    for (const socket of led) socket.destroy();
    return close();
  };
  return { address, close: end };
}
