import { expect, test } from "vitest";
import { descriptionText } from "./description-text.ts";

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), !bigEndian);
  return new Uint8Array(view.buffer);
}

test.each<[string, Uint8Array, string]>([
  ["UTF-8", new TextEncoder().encode("<a>\u00e9</a>"), "<a>\u00e9</a>"],
  ["UTF-8 with a mark", new TextEncoder().encode("\ufeff*a \u00e9"), "*a \u00e9"],
  ["latin1 by declaration", latin1("<?xml version='1.0' encoding='ISO-8859-1'?><a>\u00e9</a>"), "\u00e9</a>"],
  ["UTF-16 by mark", utf16("\ufeff<a>\u00e9</a>", false), "<a>\u00e9</a>"],
  ["UTF-16 by mark, big end first", utf16("\ufeff*a \u00e9", true), "*a \u00e9"],
  ["UTF-16 without mark", utf16("<?xml version='1.0' encoding='UTF-16'?><a>\u00e9</a>", false), "\u00e9</a>"],
  ["UTF-16 without mark, big end first", utf16("<a>\u00e9</a>", true), "<a>\u00e9</a>"],
  [
    "a declaration of UTF-16 in UTF-8",
    new TextEncoder().encode('<?xml version="1.0" encoding="UTF-16"?><a>\u00e9</a>'),
    "\u00e9</a>",
  ],
])("reads %s", (_, bytes, end) => expect(descriptionText(bytes, "f")).toSatisfy((text: string) => text.endsWith(end)));

test.each<[string, Uint8Array, string]>([
  ["other bytes", latin1("*a \u00e9"), "f:1:1: the bytes are not valid utf-8"],
  ["an unknown encoding", latin1("<?xml version='1.0' encoding='klingon'?><a/>"), "f:1:1: unknown encoding 'klingon'"],
])("refuses %s", (_, bytes, message) => expect(() => descriptionText(bytes, "f")).toThrow(message));
