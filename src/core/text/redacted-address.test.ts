import { expect, test } from "vitest";
import { redactLogin, redactLogins } from "./redacted-address.ts";

test.each([
  ["https://ada:secret@example.org/x.git", "https://example.org/x.git"],
  ["https://secret@example.org/x.git", "https://example.org/x.git"],
  ["HTTPS://ada:sec@ret@example.org:8443/x", "HTTPS://example.org:8443/x"],
  ["https://ada:sec/ret@example.org/x", "https://example.org/x"],
  ["https://ada:s/ec#r?t@example.org", "https://example.org"],
  ["postgres+x://ada:@[::1]:5432/x", "postgres+x://[::1]:5432/x"],
  ["https://example.org:8443/~ada/a@b.git", "https://example.org:8443/~ada/a@b.git"],
  ["https://[::1]/a@b.git", "https://[::1]/a@b.git"],
  ["https://example.org/a:b@c", "https://example.org/a:b@c"],
  ["ssh://git@example.org/x", "ssh://example.org/x"],
  ["git@example.org:x.git", "git@example.org:x.git"],
  ["/srv/a@b.git", "/srv/a@b.git"],
])("%s is shown as %s", (address, shown) => expect(redactLogin(address)).toBe(shown));

test("redacts all addresses in a text", () => {
  expect(redactLogins("asked for: 'https://ada:secret@a/x', got: http://t@b/y ada@c")).toBe(
    "asked for: 'https://a/x', got: http://b/y ada@c",
  );
});
