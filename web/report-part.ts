import type { PointBlock } from "../src/core/pages/columns.ts";
import { unpackPoints } from "../src/core/pages/packed-points.ts";
import { unpackFrame } from "../src/core/pages/frame.ts";
import { unpackValue } from "../src/core/pages/packed-value.ts";
import type { Frame } from "../src/core/pages/frame.ts";

/* The parts of a report: elements behind its script, which the browser may still be reading when the first picture stands. */

/** Fails with an Error for people where the report has no such part. */
export async function partValue(document: Document, id: string): Promise<unknown> {
  return unpackValue(await partBytes(document, id));
}

export async function partFrame<Facts, Names extends string>(
  document: Document,
  id: string,
): Promise<Frame<Facts, Names>> {
  return unpackFrame(await partBytes(document, id));
}

export async function partPoints(document: Document, id: string): Promise<PointBlock> {
  return unpackPoints(await partBytes(document, id));
}

export async function partText(document: Document, id: string): Promise<string> {
  return new TextDecoder().decode(await partBytes(document, id));
}

async function partBytes(document: Document, id: string): Promise<Uint8Array> {
  const element = await wholeElement(document, id);
  if (element === null) throw new Error("This report does not hold that part.");
  return inflated(fromBase64(element.textContent ?? ""));
}

/** Milliseconds until it is looked again for a part that the browser has not read yet. */
const patience = 20;

/** An element is whole when something stands behind it, or all is read. */
async function wholeElement(document: Document, id: string): Promise<HTMLElement | null> {
  for (;;) {
    const isAll = document.readyState !== "loading";
    const element = document.getElementById(id);
    if (isAll || (element !== null && element.nextElementSibling !== null)) return element;
    await new Promise((resolve) => setTimeout(resolve, patience));
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (direct !== undefined) return direct.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
