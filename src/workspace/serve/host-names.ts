import { hostname, networkInterfaces } from "node:os";

const loopback = ["127.0.0.1", "::1", "localhost"];

/** Whether only programs of this machine can reach that address. */
export function isLoopback(host: string): boolean {
  return loopback.includes(host);
}

/**
 * What requests to that address may call us, with the port: a closed list, so that no other name can be made to lead
 * here.
 */
export function allowedHosts(host: string, port: number): ReadonlySet<string> {
  const own = isLoopback(host) ? loopback : isAnyAddress(host) ? [hostname(), ...interfaceAddresses(), ...loopback] : [host];
  return new Set(own.map((name) => `${name.includes(":") ? `[${name}]` : name.toLowerCase()}:${port}`));
}

function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}
