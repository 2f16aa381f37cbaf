import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { opensslSpeed } from "./openssl-speed.ts";

const folder = "test/samples/openssl-speed";

reportImporterContract(
  opensslSpeed,
  ["sha256-1.txt", "keys.out", "machine.out"].map((name) => `${folder}/${name}`),
);

test("takes throughput by size in bytes per second", async () => {
  const [run] = await readSample(opensslSpeed, `${folder}/aes-128-gcm-1.txt`);
  expect(run!.once).toEqual({ openssl: "3.0.19" });
  expect(run!.rows.map(({ benchmark, bytes, rate }) => [benchmark, bytes, rate])).toEqual([
    ["AES-128-GCM", 16, 33_367_570],
    ["AES-128-GCM", 64, 136_340_480],
    ["AES-128-GCM", 256, 417_425_660],
    ["AES-128-GCM", 1024, 1_427_098_620],
    ["AES-128-GCM", 8192, 5_003_395_070],
    ["AES-128-GCM", 16_384, 5_983_830_020],
  ]);
  const [machine] = await readSample(opensslSpeed, `${folder}/machine.out`);
  expect(machine!.rows[0]).toEqual({ benchmark: "AES-128-GCM", bytes: 16, rate: 46_802_729.41 });
});

test("takes times and rates of operations with keys", async () => {
  const [run] = await readSample(opensslSpeed, `${folder}/keys.out`);
  expect(run!.rows).toEqual([
    { benchmark: "rsa 2048 bits", sign: 0.000309, verify: 0.000016, sign_rate: 3235.3, verify_rate: 63_871.4 },
    { benchmark: "256 bits ecdsa (nistp256)", sign: 0, verify: 0.0001, sign_rate: 45_900, verify_rate: 15_013.3 },
    { benchmark: "256 bits ecdh (nistp256)", op: 0, op_rate: 21_053.3 },
    { benchmark: "253 bits EdDSA (Ed25519)", sign: 0, verify: 0.0001, sign_rate: 29_575, verify_rate: 10_246.7 },
  ]);
});
