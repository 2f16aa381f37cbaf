import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { catch2 } from "./catch2.ts";

const folder = "test/samples/catch2";

reportImporterContract(
  catch2,
  ["console.txt", "no-analysis.txt", "wrapped.txt"].map((name) => `${folder}/${name}`),
);

test("reads the mean, the deviation and their bounds of each benchmark in its test case and section", async () => {
  const [run] = await readSample(catch2, `${folder}/console.txt`);
  expect(run!.rows).toHaveLength(4);
  expect(run!.rows[1]).toEqual({
    benchmark: "fib 20",
    test_case: "Fibonacci",
    samples: 100,
    iterations: 3,
    mean: 913133e-11,
    lower: 91194e-10,
    upper: 916752e-11,
    stddev: 9.74388e-8,
    stddev_lower: 3.88878e-8,
    stddev_upper: 2.15306e-7,
  });
  const long = "a name that is far too long for the column of names, so that it takes lines of its own";
  expect(run!.rows[2]).toMatchObject({ benchmark: long, iterations: 3440, mean: 13.9884e-9 });
  expect(run!.rows[3]).toMatchObject({
    benchmark: "fib 10",
    test_case: "Sorted",
    section: "by sections",
    mean: 193.67e-9,
  });
});

test("reads only means without analysis", async () => {
  const [run] = await readSample(catch2, `${folder}/no-analysis.txt`);
  expect(run!.rows[0]).toEqual({
    benchmark: "fib 10",
    test_case: "Fibonacci",
    samples: 100,
    iterations: 300,
    mean: 67.4169e-9,
  });
  expect(run!.rows.map(({ mean }) => mean)).toEqual([67.4169e-9, 9.10345e-6, 29.9569e-9, 68.7364e-9]);
});

/** The names given to BENCHMARK; Catch2 wraps them at 35 columns, at characters of code and within words. */
test("joins the lines of wrapped names as they were written", async () => {
  const [run] = await readSample(catch2, `${folder}/wrapped.txt`);
  expect(run!.rows.map(({ benchmark }) => benchmark)).toEqual([
    "a_very_long_name_without_any_other_characters",
    "std::unordered_map<int, int>::operator[]",
    "insert into std::unordered_map<std::string>",
    "parse(document), with many (two) words",
    "benchmarks/strings/concatenation/reserve",
    "speed of a + b with some more words and many letters",
    "n=1000000, threads=16, kind=unordered_map",
    "std::vector<std::pair<int,std::string>>::push_back(x)",
  ]);
});
