import type { PartServer } from "./engine.ts";
import type { Address } from "./postgres-address.ts";

const sslModes: Readonly<Record<Address["tls"], string>> = {
  none: "disable",
  unverified: "require",
  chain: "verify-ca",
  full: "verify-full",
};

/**
 * How another server goes to an address, in libpq's words: with as much proof as we ask for. Files are looked up there,
 * not here.
 */
export function wayFromServer({ host, port, database, tls, authorities }: Address): PartServer["options"] {
  const proof: PartServer["options"] =
    tls === "chain" || tls === "full" ? [["sslrootcert", authorities ?? "system"]] : [];
  return [["host", host], ["port", String(port)], ["dbname", database], ["sslmode", sslModes[tls]], ...proof];
}
