/**
 * An address without user name and password (tokens are often given as user names), even if a password contains
 * unescaped characters that end the authority too early.
 */
export function redactLogin(address: string): string {
  const [, scheme = "", rest = address] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(address) ?? [];
  if (scheme === "") return address;
  const authority = /^[^/?#]*/.exec(rest)![0];
  // Only digits after the host are a port: anything else begins a password, which may contain a slash.
  const searched = /^[^:[]*:.*[^\d]/.test(authority) ? rest : authority;
  return scheme + rest.slice(searched.lastIndexOf("@") + 1);
}

/** A text with `redactLogin` applied to each address in it. */
export function redactLogins(text: string): string {
  return text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]*/gi, redactLogin);
}
