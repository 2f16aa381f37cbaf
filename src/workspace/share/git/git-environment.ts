export type Environment = Readonly<Record<string, string | undefined>>;

/** Git settings. */
export type GitSettings = readonly (readonly [name: string, value: string])[];

/** How the user's git reaches a remote. */
export interface GitConnection {
  /** In addition to global settings. May contain credentials, so they are never passed as arguments. */
  readonly settings: GitSettings;
  /** Directory for relative paths of programs and files in settings. */
  readonly directory: string;
  /** Allowed transports. */
  readonly transports: readonly string[];
}

/**
 * Supported transports. Others are refused regardless of the configuration: `ext::` and other helpers run programs
 * named by the address.
 */
export const transports: readonly string[] = ["file", "git", "http", "https", "ssh"];

/** Git variables that affect connections; those that point to repositories are removed. */
const connectionVariables = new RegExp(
  `^GIT_(?:${[
    "CONFIG_",
    "EXEC_PATH$",
    "SSH$",
    "SSH_COMMAND$",
    "SSH_VARIANT$",
    "ASKPASS$",
    "TERMINAL_PROMPT$",
    "SSL_",
    "HTTP_",
    "PROXY_",
    "CURL_",
    "TRACE",
    "USER_AGENT$",
    "DEFAULT_HASH$",
  ].join("|")})`,
);

/** Not variables of git, but read by credential helpers and askpass programs of CI systems. */
const loginVariables = /^GIT_\w*(?:USER|LOGIN|PASS|TOKEN|SECRET|CRED|KEY|PAT$)/;

/**
 * The environment of programs that may log in. Without a terminal, disables prompts, also of ssh, which would wait
 * forever.
 */
export function loginEnvironment(environment: Environment, hasTerminal: boolean): Environment {
  if (hasTerminal) return environment;
  const asker = environment["SSH_ASKPASS"] === undefined ? { SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force" } : {};
  return { GIT_TERMINAL_PROMPT: "0", ...asker, ...environment };
}

/**
 * Sets all variables like GIT_DIR, so that nothing in the folder can redirect git: the instance may come from someone
 * else.
 */
export function ownEnvironment(folder: string, environment: Environment): Environment {
  const isKept = (name: string): boolean =>
    !name.startsWith("GIT_") || connectionVariables.test(name) || loginVariables.test(name);
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name))),
    GIT_DIR: folder,
    GIT_COMMON_DIR: folder,
    GIT_OBJECT_DIRECTORY: `${folder}/objects`,
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
}

/** Variables for a connection; its settings follow those that the user has set this way. */
export function connectionEnvironment(
  { settings, transports: allowed }: GitConnection,
  environment: Environment,
): Environment {
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const pairs = settings.flatMap(([name, value], i) => [
    [`GIT_CONFIG_KEY_${first + i}`, name],
    [`GIT_CONFIG_VALUE_${first + i}`, value],
  ]);
  return {
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: String(first + settings.length),
    GIT_ALLOW_PROTOCOL: allowed.join(":"),
  };
}
