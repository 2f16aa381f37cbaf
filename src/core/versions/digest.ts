declare const digestBrand: unique symbol;
declare const versionBrand: unique symbol;

/** SHA-1 of an object's plain bytes: 40 lower-case hex digits; the object's name in the store. */
export type Digest = string & { readonly [digestBrand]: true };

/** The id of a commit in its VCS: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits. */
export type VersionId = string & { readonly [versionBrand]: true };

export function isDigest(text: string): text is Digest {
  return /^[0-9a-f]{40}$/.test(text);
}

export function isVersionId(text: string): text is VersionId {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** The first eight digits, for lists and messages. */
export function abbreviate(id: string): string {
  return id.slice(0, 8);
}
