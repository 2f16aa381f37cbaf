import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import type { Ended } from "./program.ts";
import { input, Perfbase } from "./perfbase-playground.ts";

describe("perfbase's commands that only look", () => {
  let place: Perfbase;
  beforeAll(() => {
    place = new Perfbase().filled();
  });

  it("ls lists runs in columns with tabs", () => {
    expect(place.did("ls")).toBe("1\t first\t \t\n2\t \t \t\n");
    expect(place.did("ls", "-v", "-l", "-s", "host,size")).toBe(
      "indx\t crtr\t tspf\t host\t size\t\n" +
        "1\t ada\t 2004-11-23 00:00:00\t node7\t #2values#\t\n" +
        "2\t ada\t 2004-11-24 00:00:00\t node8\t 1024\t\n",
    );
    expect(place.did("ls", "--meta=rows,file,ninp", "--show=rate", "-n", "2")).toBe(
      "2\t ['a.dat']\t 1\t 0.5|2.0\t\n1\t ['b.dat']\t 1\t 8.25\t\n",
    );
    expect(place.did("ls", "-s", "rate", "-a")).toBe("0.5|2.0\t\n8.25\t\n");
  });

  it("ls -d lists different contents", () => {
    expect(place.did("ls", "-d", "-s", "size", "-m", "syno,ninp")).toBe(
      "syno:\n  first\nninp:\n  1\nsize: [1024, 4096]\n",
    );
  });

  it("find finds runs by contents, synopsis, time and creator", () => {
    expect(place.did("find", "-c", "size=1024")).toBe("1\n2\n");
    expect(place.did("find", "-c", "size=1024,rate>1")).toBe("2\n");
    expect(place.did("find", "--cond", "host!=node7", "--show=host")).toBe("node8\n");
    expect(place.did("find", "--synopsis", "^f.*t$", "-m", "indx,syno")).toBe("1 \t first\n");
    expect(place.did("find", "--performed-from", "2004-11-24")).toBe("2\n");
    expect(place.did("find", "--performed-to", "2004-11-23")).toBe("1\n");
    expect(place.did("find", "--created-by", "bob;ada", "-m", "tspf")).toBe(
      "2004-11-23 00:00:00\n2004-11-24 00:00:00\n",
    );
    expect(place.did("find", "--created-by", "bob")).toBe("");
    expect(place.did("find", "-v", "-m", "indx", "-s", "rate", "--sort", "host", "-c", "size=4096")).toBe(
      "# host \t indx \t rate\nnode7 \t 1 \t 2.0\n",
    );
    expect(place.pb("find", "-d", "search.xml")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no search descriptions"),
    });
  });

  it("info tells of all experiments, one, its values, a run", () => {
    expect(place.did("info", "--all", "--admin=ada")).toBe("disk\t2 runs\thow fast disks write\n");
    expect(place.did("info", "-a", "-s", "created", "--input", "bob")).toBe("");
    expect(place.did("info", "-i")).toContain("\n Active runs : 2\n Indices of active runs: [1, 2]\n");
    expect(place.did("info", "--value", "^s,rat")).toMatch(/^ rate .*\n size .*\[Byte\] +\tPM \t\(chunk\)\n$/);
    expect(place.did("info", "-v", "--val=")).toContain("'rate': float []\n    result value, multiple occurence\n");
    const run = place.did("info", "-r", "1", "-d", "all");
    expect(run).toContain("    size\trate\n    1024\t0.5\n    4096\t2\n");
    expect(run).toContain("    host = node7\n");
    expect(place.did("info", "-r", "1", "--data=once")).not.toContain("1024");
  });

  /** Prints the operator of the first run's rates and the second's, and of both. */
  function queried(operator: string, runs = "12"): Ended {
    const source = (id: string, run: string): string =>
      `<run id="r${id}"><index>${run}</index></run>` +
      `<source id="${id}"><result>rate</result><input>size</input><input>r${id}</input></source>`;
    place.write(
      "op.xml",
      `<query id="q"><experiment>disk</experiment><parameter id="size"><value>size</value></parameter>` +
        source("a", runs[0]!) +
        source("b", runs[1]!) +
        `${operator}<output id="out" target="raw_text"><input>op</input></output></query>`,
    );
    return place.pb("query", "-d", "op.xml");
  }

  it.each([
    ["div", "# size[byte]\trate/rate[/]\t\n1024 \t16.5 \t\n"],
    ["below", "# size[byte]\t[rate % less then rate][%]\t\n1024 \t-1550.0 \t\n"],
  ])("query names %s of two sources as perfbase does", (type, table) => {
    const both = `<operator id="op" type="${type}"><input>b</input><input>a</input></operator>`;
    expect(queried(both)).toMatchObject({ status: 0, stdout: table });
  });

  it("query refuses runs that do not exist, where perfbase fails", () => {
    const slice = (value: string): string =>
      `<operator id="op" type="slice" value="${value}"><input>a</input></operator>`;
    expect(queried(slice("[0:1]"))).toMatchObject({ status: 0, stdout: expect.stringContaining("slice(rate)[]") });
    for (const ended of [queried(slice("[3:2]")), queried(slice("[0:1]"), "92")])
      expect(ended).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("selects no run") });
  });

  it("info of a parameter set that does not exist prints no values, and a note", () => {
    expect(place.pb("info", "-p", "none")).toMatchObject({
      status: 0,
      stdout: "parameter set 'none':\n",
      stderr: expect.stringContaining("has no parameter set 'none'"),
    });
  });

  it("takes the beginnings of long options, and says which are not clear", () => {
    expect(place.did("find", "--syn", "first")).toBe("1\n");
    expect(place.pb("ls", "--s", "host")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--s is ambiguous: --show or --sqltrace"),
    });
    expect(place.pb("ls", "-m", "size").stderr).toMatch(/^#\* ERROR: unknown label 'size'/);
  });

  it("refuses passwords where others can read them, and tells its version everywhere", () => {
    expect(place.pb("ls", "--dbpasswd", "secret")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("PGPASSWORD"),
    });
    for (const words of [["version"], ["-V"], ["ls", "--version"]])
      expect(place.did(...words)).toMatch(/^perfbase \(perfkeep\) \d/);
    expect(place.did("--commands").split("\n")).toEqual(
      expect.arrayContaining(["ls", "find", "dump", "restore", "start"]),
    );
    for (const words of [["init", "-d", "data"], ["start", "-f", "-p", "5433"], ["stop"]])
      expect(place.pb(...words).status).toBe(0);
  });
});

describe("perfbase's commands that change something", () => {
  let place: Perfbase;
  beforeEach(() => {
    place = new Perfbase().filled();
  });

  it("dump and restore: the experiment is there again, in place of another only by force", () => {
    place.did("dump", "-f", "disk.tar.gz");
    place.did("delete", "-r", "2", "--dontask");
    expect(place.did("find")).toBe("1\n");
    expect(place.pb("restore", "-f", "disk.tar.gz")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[experiment-exists]"),
    });
    place.did("restore", "--file=disk.tar.gz", "--exp=other");
    expect(place.did("ls", "-e", "other", "-s", "host")).toBe("node7\t\nnode8\t\n");
    place.did("restore", "-f", "disk.tar.gz", "--force");
    expect(place.did("find")).toBe("1\n2\n");
    expect(place.did("dump")).toMatch(/ disk__\d{8}_\d{4}\.tar\.gz\n$/);
  });

  it("a restore by force that fails leaves the experiment that was there", () => {
    place.did("dump", "-f", "disk.tar.gz");
    const bytes = readFileSync(join(place.folder, "disk.tar.gz"));
    place.write("cut.tar.gz", bytes.subarray(0, bytes.length / 2));
    expect(place.pb("restore", "-f", "cut.tar.gz", "--force").status).toBe(1);
    expect(place.did("find")).toBe("1\n2\n");
  });

  it("delete hides runs, by force for good; others that are deleted stay", () => {
    place.did("delete", "-r", "2", "--dontask");
    place.did("delete", "-r", "1", "--force", "--dontask");
    expect(place.did("ls")).toBe("#* experiment 'disk' contains no run data.\n");
    expect(place.pb("undelete", "-r", "1").status).toBe(1);
    place.did("undelete", "-r", "2");
    expect(place.did("find")).toBe("2\n");
    place.did("delete", "-r", "2", "--dontask");
    place.did("check", "-c", "-f", "-u", "-t", "-i", "size");
    expect(place.pb("undelete", "-r", "2").status).toBe(1);
    place.did("check", "--all");
  });

  it("attach keeps, lists, writes, replaces and removes descriptions, or asks for their names", () => {
    place.did("attach", "-p", "-x", "inp.xml", "-d", "how");
    expect(place.pb("attach", "--put", "-x", "inp.xml").status).toBe(1);
    place.did("attach", "--put", "-x", "inp.xml", "--force", "-s", "anew");
    expect(place.did("attach", "-l")).toBe("disk_in\tinput\tanew\n");
    expect(place.did("attach", "-g", "-n", "disk_in")).toBe(input);
    expect(place.did("info", "-x", "disk_in")).toBe(input);
    place.did("attach", "-g", "-n", "disk_in", "-x", "copy.xml");
    expect(readFileSync(join(place.folder, "copy.xml"), "utf8")).toBe(input);
    const asked = place.start(place.program2, ["attach", "-p", "-i", "-x", "inp.xml"], { input: "mine\nasked for\n" });
    expect(asked.status).toBe(0);
    expect(place.did("attach", "--list")).toContain("mine\tinput\tasked for\n");
    place.did("attach", "--delete", "--dontask", "-n", "disk_in");
    expect(place.did("attach", "-l")).not.toContain("disk_in");
  });

  it("setup prints a description that makes the same experiment", () => {
    place.write("again.xml", place.did("setup", "-g"));
    place.did("setup", "-d", "again.xml", "-f");
    expect(place.did("info", "-v", "--value=size")).toContain("'size': integer [Byte]");
    expect(place.did("ls")).toContain("no run data");
    expect(existsSync(join(place.home, "kept", "experiments.duckdb"))).toBe(true);
  });
});

describe.skipIf(noServer)(noServer ?? "perfbase's commands on a server", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startServer();
    await server.run("postgres", "create database perfbase");
  });
  afterAll(() => server?.stop());

  it("goes where PB_DBHOST, PB_DBPORT and PB_DBUSER say, and dumps go from one engine to the other", () => {
    const place = new Perfbase();
    const shared = {
      PB_DBHOST: "127.0.0.1",
      PB_DBPORT: String(server.port),
      PB_DBUSER: server.user,
      PGPASSWORD: server.password,
    };
    const own = place.environment;
    place.environment = { ...own, ...shared };
    place.filled();
    expect(place.did("ls", "-l", "-s", "size,host", "-m", "rows")).toMatch(
      /^2\t 1\t .*#2values#\t node7\t\n1\t 2\t .*1024\t node8\t\n$/,
    );
    expect(place.did("find", "-c", "rate<1", "-s", "size,rate")).toBe("1024 \t 0.5\n");
    expect(place.did("ls", "-d", "-s", "host")).toBe("host: [node7, node8]\n");
    place.did("dump", "-f", "disk.tar.gz");
    place.environment = own;
    place.did("restore", "-f", "disk.tar.gz");
    expect(place.did("find", "-s", "host")).toBe("node7\nnode8\n");
    const words = ["--dbhost", "127.0.0.1", "--dbport", String(server.port), "--dbuser", server.user];
    place.environment = { ...own, PGPASSWORD: server.password };
    place.did("restore", "-f", "disk.tar.gz", "-e", "back", ...words);
    expect(place.did("find", "-e", "back", "-s", "host", ...words)).toBe("node7\nnode8\n");
  });
});
