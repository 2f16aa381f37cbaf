import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { opensslSpeed } from "./openssl-speed.ts";

const folder = "test/samples/openssl-speed";

reportImporterContract(
  opensslSpeed,
  ["sha256-1.txt", "keys.out", "machine.out", "multi.out"].map((name) => `${folder}/${name}`),
);

test("reads throughput by size in bytes per second", async () => {
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

test("reads times and rates of operations with keys", async () => {
  const [run] = await readSample(opensslSpeed, `${folder}/keys.out`);
  expect(run!.rows).toEqual([
    { benchmark: "rsa 2048 bits", sign: 0.000309, verify: 0.000016, sign_rate: 3235.3, verify_rate: 63_871.4 },
    { benchmark: "256 bits ecdsa (nistp256)", verify: 0.0001, sign_rate: 45_900, verify_rate: 15_013.3 },
    { benchmark: "256 bits ecdh (nistp256)", op_rate: 21_053.3 },
    { benchmark: "253 bits EdDSA (Ed25519)", verify: 0.0001, sign_rate: 29_575, verify_rate: 10_246.7 },
  ]);
});

test("reads the sums of several processes, not their parts", async () => {
  const [run] = await readSample(opensslSpeed, `${folder}/multi.out`);
  expect(run!.rows).toHaveLength(6);
  expect(run!.rows[1]).toEqual({ benchmark: "md5", bytes: 64, rate: 110_690_940 });
});

test("reads the tables of version 3.2 and later", async () => {
  const text = `                   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  decr./s
rsa  2048 bits 0.000280s 0.000016s 0.000017s 0.000290s   3572.7  63795.8  58823.5   3448.3
                               keygen     signs    verify keygens/s    sign/s  verify/s
                     ML-DSA-44 0.000016s 0.000012s 0.000018s   62500.0   83333.3   55555.6
`;
  const [run] = await readReport(opensslSpeed, new TextEncoder().encode(text));
  const rates = { sign_rate: 3572.7, verify_rate: 63_795.8, encrypt_rate: 58_823.5, decrypt_rate: 3448.3 };
  expect(run!.rows).toEqual([
    { benchmark: "rsa 2048 bits", sign: 0.00028, verify: 0.000016, encrypt: 0.000017, decrypt: 0.00029, ...rates },
    {
      benchmark: "ML-DSA-44",
      keygen: 16e-6,
      sign: 12e-6,
      verify: 18e-6,
      keygen_rate: 62_500,
      sign_rate: 83_333.3,
      verify_rate: 55_555.6,
    },
  ]);
});
