/**
 * An address without who logs in there, and with what: a token often stands where the name of a user would. Also where
 * a character of a password was left unescaped and so ends it too early.
 */
export function redactLogin(address: string): string {
  const [, scheme = "", rest = address] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(address) ?? [];
  if (scheme === "") return address;
  const authority = /^[^/?#]*/.exec(rest)![0];
  // Behind the host only digits are a port: anything else begins a password, which goes on behind a slash.
  const searched = /^[^:[]*:.*[^\d]/.test(authority) ? rest : authority;
  return scheme + rest.slice(searched.lastIndexOf("@") + 1);
}

/** A text without who logs in at the addresses in it. */
export function redactLogins(text: string): string {
  return text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]*/gi, redactLogin);
}
