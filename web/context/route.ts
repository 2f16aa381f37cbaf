import { useEffect, useState } from "preact/hooks";

/** The current route, from the hash: `#/series/KEY?from=3`. Works in files opened from disk. */
export interface Route {
  /** Name of the page, such as `series`; empty: the overview. */
  readonly page: string;
  /** The selected item of the page: a key, an id or a name. */
  readonly of: string;
  readonly params: Readonly<Record<string, string>>;
}

function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const slash = path.indexOf("/");
  const [page, of] = slash < 0 ? [path, ""] : [path.slice(0, slash), path.slice(slash + 1)];
  return { page: decoded(page), of: decoded(of), params: Object.fromEntries(new URLSearchParams(query)) };
}

export function currentRoute(): Route {
  return parseRoute(location.hash);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a page. Lone surrogates cannot be encoded, so such a key is not found. */
export function href(page: string, of = "", params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params).toString();
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

/** Navigates to an address. `replace`: without a new history entry. */
export function go(address: string, replace = false): void {
  if (replace) {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = address;
}
