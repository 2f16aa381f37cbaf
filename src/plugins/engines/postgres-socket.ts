import { connect as connectPlain, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from "node:tls";

/** The far end of a connection, and how much it has to prove. `ca`, `cert` and `key` are PEM texts. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: "none" | "unverified" | "chain" | "full";
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The request for TLS: length 8, code 80877103 (PostgreSQL's documentation, "Message Formats"). */
const tlsRequest = Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f);
const yes = 0x53;

/** Why a connection was not made although something answers. */
export class Untrusted extends Error {}

/**
 * Opens a connection, with TLS around it where asked for, within `patience` milliseconds. It never falls back to less
 * than that.
 */
export async function openSocket(endpoint: Endpoint, patience: number): Promise<Socket> {
  const { host, port } = endpoint;
  // Without delay: the end of a COPY is a small packet behind others, and would wait for the server's answer to them.
  const plain = host.startsWith("/")
    ? connectPlain({ path: `${host}/.s.PGSQL.${port}` })
    : connectPlain({ host, port, noDelay: true });
  const timer = setTimeout(() => plain.destroy(new Error(`nothing came within ${patience / 1000} s`)), patience);
  try {
    await event(plain, "connect");
    return endpoint.tls === "none" ? plain : await encrypted(plain, endpoint);
  } catch (error) {
    plain.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function encrypted(plain: Socket, endpoint: Endpoint): Promise<Socket> {
  plain.write(tlsRequest);
  const answer = (await event(plain, "data")) as Uint8Array;
  // More than the one byte came before encryption: somebody in between wrote it (CVE-2021-23222).
  if (answer[0] !== yes || answer.length > 1) throw new Untrusted("it offers no TLS");
  const secure = connectTls(tlsOptions(plain, endpoint));
  try {
    await event(secure, "secureConnect");
  } catch (error) {
    secure.destroy();
    throw wording(error) ?? error;
  }
  return secure;
}

function tlsOptions(socket: Socket, { host, tls, ca, cert, key }: Endpoint): ConnectionOptions {
  return {
    socket,
    // The name that the certificate is checked against; a number of a host cannot be a server name.
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: tls !== "unverified",
    checkServerIdentity: tls === "full" ? checkServerIdentity : () => undefined,
    minVersion: "TLSv1.2",
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

/** What is wrong with a certificate, of errors that say so. */
function wording(error: unknown): Untrusted | undefined {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return /CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL|VERIFY/.test(code)
    ? new Untrusted(message, { cause: error })
    : undefined;
}

/** The next `name`, or the failure that comes first. */
function event(socket: Socket, name: "connect" | "data" | "secureConnect"): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => onError(new Error("it closed the connection"));
    const done = (): void => void socket.off(name, onEvent).off("error", onError).off("close", onClose);
    const onEvent = (value: unknown): void => {
      done();
      resolve(value);
    };
    const onError = (error: Error): void => {
      done();
      reject(error);
    };
    socket.once(name, onEvent).once("error", onError).once("close", onClose);
  });
}
