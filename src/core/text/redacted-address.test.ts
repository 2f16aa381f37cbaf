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
  ["ftp://ada:secret@example.org/x", "ftp://example.org/x"],
  ["x-y.z+1://ada:secret@example.org", "x-y.z+1://example.org"],
  ["ext::https://ada:secret@example.org/x", "ext::https://example.org/x"],
  ["ada:secret@example.org:x.git", "example.org:x.git"],
  ["http:/ada:secret@example.org/x", "example.org/x"],
  ["http:ada:secret@example.org/x", "example.org/x"],
  ["host:path/to/x.git", "host:path/to/x.git"],
  ["postgres://ada@h/x?sslmode=require&password=secret&a=b", "postgres://h/x?sslmode=require&password=***&a=b"],
])("%s is shown as %s", (address, shown) => expect(redactLogin(address)).toBe(shown));

test("redacts all addresses in a text", () => {
  expect(redactLogins("asked for: 'https://ada:secret@a/x', got: http://t@b/y ada@c")).toBe(
    "asked for: 'https://a/x', got: http://b/y ada@c",
  );
});
