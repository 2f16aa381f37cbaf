export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of git with their values. */
export type GitSettings = readonly (readonly [name: string, value: string])[];

/** How the user's own git would reach a remote. */
export interface GitConnection {
  /** Beside those that every git of the user has. They may hold credentials, so they are no words of a command line. */
  readonly settings: GitSettings;
  /** Where programs and files that settings name without a whole path are looked for. */
  readonly directory: string;
  /** Ways to a remote that may be used. */
  readonly transports: readonly string[];
}

/**
 * Ways to a remote. Nothing else is taken, whatever a configuration allows: `ext::` and other helpers run what an
 * address names.
 */
export const transports: readonly string[] = ["file", "git", "http", "https", "ssh"];

/** Variables of git that say how the user reaches others; those that point at repositories stay behind. */
const connectionVariables =
  /^GIT_(?:CONFIG_|EXEC_PATH$|SSH$|SSH_COMMAND$|SSH_VARIANT$|ASKPASS$|TERMINAL_PROMPT$|SSL_|HTTP_|PROXY_|CURL_|TRACE|USER_AGENT$|DEFAULT_HASH$)/;

/** Git knows no variables of these names: a credential helper or an askpass of a CI system reads them. */
const loginVariables = /^GIT_\w*(?:USER|LOGIN|PASS|TOKEN|SECRET|CRED|KEY|PAT$)/;

/**
 * The user's environment for programs that may want to log in. Where nobody is at the terminal none is asked, also by
 * ssh: a program that waits for a password there waits for ever.
 */
export function loginEnvironment(environment: Environment, hasTerminal: boolean): Environment {
  if (hasTerminal) return environment;
  const asker = environment["SSH_ASKPASS"] === undefined ? { SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force" } : {};
  return { GIT_TERMINAL_PROMPT: "0", ...asker, ...environment };
}

/**
 * GIT_DIR and its like are all set, so that nothing in the folder can lead elsewhere: an instance may have been brought
 * along by somebody else.
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

/** What `way` adds to an environment: settings come behind those that the user has set so. */
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
