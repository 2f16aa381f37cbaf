import { expect, test } from "vitest";
import { openFiles } from "./files.ts";

test("a device is no input: one without an end would fill the disk", async () => {
  const first = openFiles("/").stream("/dev/zero")[Symbol.asyncIterator]().next();
  await expect(first).rejects.toMatchObject({ code: "unreadable-file", message: "/dev/zero: it is a device" });
});
