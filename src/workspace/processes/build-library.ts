import { Failure } from "../../core/failures/failure.ts";
import { builtAsset, type BuildPlaces } from "./build-asset.ts";
import { isExecutable } from "./search-path.ts";

/**
 * A shared library to be loaded into programs. Fails with `tool-missing` where it cannot be built, `untraceable` where
 * it cannot be loaded from its place.
 */
export function builtLibrary(places: BuildPlaces, source: string): string {
  if (process.platform !== "linux")
    throw missing("Linux, the system whose programs can be looked into,", "use a Linux machine or a container");
  const built = builtAsset(places, {
    source,
    words: ["-std=gnu11", "-shared", "-fPIC", "-pthread", "-ldl"],
    works: isExecutable,
  });
  if ("path" in built) return loadable(built.path);
  const install = "a C compiler with the headers of the C library (Debian: apt install gcc libc6-dev)";
  throw missing(
    built.compiler === null
      ? "a C compiler"
      : `what ${built.compiler} needs to build ${source} (${built.reason.slice(0, 200)})`,
    install,
  );
}

function missing(tool: string, install: string): Failure {
  return new Failure("tool-missing", { tool, install });
}

/** The loader takes blanks and colons for ends of names. */
function loadable(path: string): string {
  if (!/[\s:]/.test(path)) return path;
  const reason = `the loader cannot read names with blanks or colons such as '${path}'`;
  throw new Failure("untraceable", {
    what: "the program",
    reason,
    instead: "set XDG_CACHE_HOME to a folder without them",
  });
}
