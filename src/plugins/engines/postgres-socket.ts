import { connect as connectPlain, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from "node:tls";

/** The server of a connection and what TLS verifies. `ca`, `cert` and `key` are PEM text. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: "none" | "unverified" | "chain" | "full";
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** SSLRequest message: length 8, code 80877103 (PostgreSQL's documentation, "Message Formats"). */
const tlsRequest = Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f);
const yes = 0x53;

/** The server responds but cannot be trusted. */
export class Untrusted extends Error {}

/**
 * Connects within `patience` milliseconds, with TLS if requested; never falls back to a plain connection.
 */
export async function openSocket(endpoint: Endpoint, patience: number): Promise<Socket> {
  const { host, port } = endpoint;
  // No delay: the small last packet of a COPY would wait for the server's acknowledgement of the previous ones.
  const plain = host.startsWith("/")
    ? connectPlain({ path: `${host}/.s.PGSQL.${port}` })
    : connectPlain({ host, port, noDelay: true });
  const timer = setTimeout(() => plain.destroy(new Error(`no response within ${patience / 1000} s`)), patience);
  try {
    await event(plain, "connect");
    return endpoint.tls === "none" ? plain : await startTls(plain, endpoint);
  } catch (error) {
    plain.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function startTls(plain: Socket, endpoint: Endpoint): Promise<Socket> {
  plain.write(tlsRequest);
  const response = (await event(plain, "data")) as Uint8Array;
  // Extra bytes before encryption come from a man in the middle (CVE-2021-23222).
  if (response[0] !== yes || response.length > 1) throw new Untrusted("the server does not support TLS");
  const secure = connectTls(tlsOptions(plain, endpoint));
  try {
    await event(secure, "secureConnect");
  } catch (error) {
    secure.destroy();
    throw certificateError(error) ?? error;
  }
  return secure;
}

function tlsOptions(socket: Socket, { host, tls, ca, cert, key }: Endpoint): ConnectionOptions {
  return {
    socket,
    // Name to verify the certificate against; an IP address cannot be a server name.
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

/** Converts errors about certificates. */
function certificateError(error: unknown): Untrusted | undefined {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return /CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL|VERIFY/.test(code)
    ? new Untrusted(message, { cause: error })
    : undefined;
}

/** Resolves with the next event `name`; rejects on an earlier error or close. */
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
