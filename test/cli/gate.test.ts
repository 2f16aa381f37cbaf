import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground, timeProfile } from "./program.ts";

let place: Playground;
let head = "";

beforeEach(() => {
  place = new Playground();
  head = place.commit("one");
  place.ok("init");
});

/** Registers a profile of counted instructions at HEAD. */
function count(...values: number[]): void {
  countEvents({ instructions: values });
}

/** Registers a profile of counted events at HEAD. */
function countEvents(events: Readonly<Record<string, readonly number[]>>): void {
  const profile = {
    origin: head,
    header: { type: "mixed", cmd: "./work", workload: "", units: { mixed: "event" } },
    collector_info: { name: "counters", params: {} },
    postprocessors: [],
    resources: Object.entries(events).flatMap(([subtype, values]) =>
      values.map((amount) => ({ amount, type: "mixed", subtype, uid: "./work" })),
    ),
  };
  place.ok("add", place.write("count.perf", JSON.stringify(profile)));
}

/** Registers a profile of times at HEAD. */
function measure(...amounts: number[]): void {
  place.ok("add", place.write("time.perf", timeProfile({ origin: head, amounts })));
}

describe("the default check of counters", () => {
  it("finds +9.6 % in two values, and stores the change in Perun's format", () => {
    count(1_000_000, 1_000_000);
    const first = head;
    head = place.commit("two");
    count(1_096_000, 1_096_000);
    const { status, stdout } = place.run(["check", "head"]);
    expect(status).toBe(1);
    expect(stdout).toContain("└ worse: instructions 1000000 event → 1096000 event, 1.1x\n");
    expect(stdout).toContain("+9.6 %, exact");
    expect(
      readFileSync(join(place.folder, ".perun/objects", head.slice(0, 2), `${head.slice(2)}.changes`), "utf8"),
    ).toBe(
      `./work PerformanceChange.Degradation instructions 1000000event 1096000event 1.096 exact 1.0 0.0 ${first} ./work`,
    );
  });

  it("distinguishes the events of a location in every report, by the keys of compare, and in status", () => {
    countEvents({ instructions: [1_000_000, 1_000_000], branches: [200_000, 200_000] });
    head = place.commit("two");
    countEvents({ instructions: [1_096_000, 1_096_000], branches: [300_000, 300_000] });
    const { stdout: metrics } = place.run(["check", "head", "--format", "openmetrics"]);
    const { stdout: compared } = place.run(["compare", "HEAD~1", "HEAD", "--format", "json"]);
    const { rows } = JSON.parse(compared) as { rows: { key: string }[] };
    expect(rows).toHaveLength(2);
    for (const { key } of rows)
      expect(metrics.split(`perfkeep_change_ratio{key="${key.replaceAll('"', '\\"')}"`)).toHaveLength(2);
    const summary = place.run(["check", "head", "--format", "summary"]).stdout;
    expect(summary).toContain("| 200000 event | 300000 event | +50.0 %");
    const { stdout } = place.run(["status"]);
    expect(stdout).toContain("worse: instructions 1000000 event → 1096000 event, 1.1x");
    expect(stdout).toContain("worse: branches 200000 event → 300000 event, 1.5x");
    place.ok("rm", "0@i");
    countEvents({ instructions: [1_096_000, 1_096_000], branches: [200_000, 200_000] });
    place.run(["check", "head"]);
    expect(place.ok("status")).not.toContain("worse: branches");
    expect(place.ok("status")).toContain("worse: instructions");
  });

  it("finds it in single values, too, and none in equal ones", () => {
    count(1_000_000);
    head = place.commit("two");
    count(1_000_000);
    expect(place.run(["check", "head"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("no change of 1"),
    });
    head = place.commit("three");
    count(1_096_000);
    expect(place.run(["check", "head"]).status).toBe(1);
    expect(place.run(["check", "all"]).stdout.match(/└ worse/g)).toHaveLength(1);
  });

  it("reports a change below the limit of the configured method with its size", () => {
    count(1_000_000, 1_000_000);
    head = place.commit("two");
    count(1_590_000, 1_590_000);
    place.ok("config", "set", "degradation.strategies", "[{method: average_amount_threshold}]");
    const { status, stdout } = place.run(["check", "head"]);
    expect(status).toBe(0);
    expect(stdout).toContain("+59 %, below the limit of 2x");
    expect(stdout).not.toContain("no change");
    expect(place.json("check", "head")).toMatchObject({
      changes: [
        { result: "MaybeDegradation", note: "+59 %, below the limit of 2x", method: "average_amount_threshold" },
      ],
    });
    const perun = place.run(["check", "head", "--compat", "perun"]);
    expect(perun).toMatchObject({ status: 0, stdout: expect.stringContaining("no change of 1 compared") });
  });

  it("keeps Perun's limits for --compat perun", () => {
    count(1_000_000, 1_000_000);
    head = place.commit("two");
    count(1_590_000, 1_590_000);
    expect(place.run(["check", "head", "--compat", "perun"]).stdout).toContain("no change of 1 compared");
    expect(place.run(["check", "head"]).status).toBe(1);
  });
});

describe("the default check of times", () => {
  it("judges by the noise of earlier commits, and says what it does not know", () => {
    const base = [10.02, 10.11, 9.94, 10.07, 9.98];
    for (const [at, factor] of [1, 1.02, 0.99, 1.01, 1].entries()) {
      if (at > 0) head = place.commit(`commit ${at}`);
      measure(...base.map((value) => value * factor));
    }
    head = place.commit("slow");
    measure(...base.map((value) => value * 1.2));
    const { status, stdout } = place.run(["check", "head"]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/\+20 %, 98 % interval \+\d.*noise from 5 earlier profiles/);
    const { stdout: text } = place.run(["check", "profiles", "HEAD~1^0@i", "HEAD~2^0@i", "--format", "json"]);
    expect(JSON.parse(text)).toMatchObject({ changes: [{ method: "statistics", evidence: { history: 1 } }] });
  });

  it("is inconclusive with exit status 3 where the noise hides a change", () => {
    measure(1.01, 1.3);
    head = place.commit("two");
    measure(1.12, 1.25);
    const { status, stdout } = place.run(["check", "head"]);
    expect(status).toBe(3);
    expect(stdout).toMatch(
      /inconclusive: time [^]*└ it may be worse by \d+ % \(95 % one-sided\); measure more repetitions, .*or counters/,
    );
    expect(place.ok("status")).not.toContain("inconclusive");
    expect(place.run(["check", "head", "--format", "junit"])).toMatchObject({ status: 3 });
  });
});
