/**
 * An address without user name and password (tokens are often given as user names), even if a password contains
 * unescaped characters that end the authority too early.
 */
export function redactLogin(address: string): string {
  const [, helper = "", plain = address] = /^([a-z0-9][a-z0-9+.-]*::)(.*)$/is.exec(address) ?? [];
  return helper + withoutSecrets(withoutLogin(plain));
}

/** Parameters of an address whose values are secrets: `?password=…`. */
function withoutSecrets(address: string): string {
  return address.replaceAll(/([?&](?:ssl)?(?:pass(?:word|wd)?|pwd|token|access_token)=)[^&#\s]*/gi, "$1***");
}

function withoutLogin(address: string): string {
  const [, scheme = "", rest = address] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(address) ?? [];
  if (scheme === "") return withoutPlainLogin(address);
  const authority = /^[^/?#]*/.exec(rest)![0];
  // Only digits after the host are a port: anything else begins a password, which may contain a slash.
  const searched = /^[^:[]*:.*[^\d]/.test(authority) ? rest : authority;
  return scheme + rest.slice(searched.lastIndexOf("@") + 1);
}

/** `user:password@host` of an address without a scheme, or with one that lost a slash. */
function withoutPlainLogin(address: string): string {
  return address.replace(/^[^\s/@:]+:\/?[^\s/@]*@/, "");
}

/** A text with `redactLogin` applied to each address in it. */
export function redactLogins(text: string): string {
  return text.replaceAll(/(?:[a-z0-9][a-z0-9+.-]*::)?[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]*/gi, redactLogin);
}
