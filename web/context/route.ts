import { useEffect, useState } from "preact/hooks";

/** Where in the app one is: `#/series/KEY?from=3`; works in files as well. */
export interface Route {
  /** `series`; empty: the overview. */
  readonly page: string;
  /** What of it is looked at: a key, an id, a name. */
  readonly of: string;
  readonly words: Readonly<Record<string, string>>;
}

function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const slash = path.indexOf("/");
  const [page, of] = slash < 0 ? [path, ""] : [path.slice(0, slash), path.slice(slash + 1)];
  return { page: decoded(page), of: decoded(of), words: Object.fromEntries(new URLSearchParams(query)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a place in the app. Lone surrogates have no address; they lead to a key that is not found. */
export function href(page: string, of = "", words: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(words).toString();
  return `#/${page}${of === "" ? "" : `/${encodeURIComponent(of.toWellFormed())}`}${query === "" ? "" : `?${query}`}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = (): void => setHash(location.hash);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return parseRoute(hash);
}

/** Goes to another place; `replace`: the one before is not gone back to. */
export function go(address: string, replace = false): void {
  if (replace) {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = address;
}
