import { describe, expect, test } from "vitest";
import { Playground, type Running } from "./program.ts";

async function begun(place: Playground, ...words: string[]): Promise<Running & { readonly line: string }> {
  const running = place.begin(["serve", ...words]);
  const line = await new Promise<string>((resolve) => running.child.stdout.once("data", (text) => resolve(String(text))));
  return { ...running, line };
}

describe("perfkeep serve", () => {
  const place = new Playground();

  test("prints one address, works without a repository, and ends when asked to", async () => {
    const { line, child, ended } = await begun(place);
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}\n$/);
    const { origin, hash } = new URL(line);
    const post = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: hash.slice("#token=".length) }),
    };
    const cookie = (await fetch(`${origin}/enter`, post)).headers.get("set-cookie")?.split(";")[0] ?? "";
    const overview = await fetch(`${origin}/api/overview`, { headers: { cookie } });
    expect(await overview.json()).toMatchObject({ schema: "perfkeep.overview/1", totals: { series: 0, profiles: 0 } });
    const port = new URL(origin).port;
    expect(place.run(["serve", "--port", port])).toMatchObject({
      status: 74,
      stderr: expect.stringContaining("another program listens there"),
    });
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0, stdout: line, stderr: "Ctrl-C ends it.\n" });
  });

  test("lets other machines in only when that is meant, and says so", async () => {
    const refused = place.run(["serve", "--host", "0.0.0.0"]);
    expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("--allow-remote") });
    const { child, ended } = await begun(place, "--host", "0.0.0.0", "--allow-remote");
    child.kill("SIGINT");
    expect((await ended).stderr).toContain("warning: other machines can reach 0.0.0.0");
  });

  test.each([
    ["--port", "65536"],
    ["--port", "x"],
    ["--min-effect", "many"],
  ])("refuses %s %s", (...words) => {
    expect(place.run(["serve", ...words])).toMatchObject({ status: 2, stdout: "" });
  });
});
