import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Playground, scratchFolder, timeProfile } from "./program.ts";

let place: Playground;
const programs = join(scratchFolder(), "bin");
const hostile = "x$(touch${IFS}canary)`touch${IFS}canary`";

/**
 * A project with a branch, a tag, a pending and a registered profile, an experiment, and names that a shell must not
 * evaluate.
 */
beforeAll(() => {
  mkdirSync(programs);
  place = new Playground();
  for (const name of ["perfkeep", "perun", "perfbase"]) symlinkSync(place.program, join(programs, name));
  chmodSync(place.program, 0o755);
  const head = place.commit("first");
  place.ok("init");
  place.git("branch", "feature");
  place.git("branch", hostile);
  place.git("tag", "v1.0");
  place.ok("add", place.write("a.perf", timeProfile({ origin: head, amounts: [1, 2, 3] })));
  place.write(".perun/jobs/b.perf", timeProfile({ origin: head, amounts: [1, 2, 3] }));
  place.write("io.exp", "*experiment io\n*parameter n int\n*parameter mode string\n*result t float s\n");
  place.ok("experiment", "create", "io.exp");
  place.write("results dir/one.txt", "1\n");
});

const offered = (...words: string[]): string[] =>
  place
    .ok("complete", "--", ...words)
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t")[0] ?? "");

describe("what is offered", () => {
  test.each<[readonly string[], readonly string[]]>([
    [["comp"], ["completion", "compare"]],
    [
      ["-q", "comp"],
      ["completion", "compare"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["--color", "al"], ["always"]],
    [["--qui"], ["--quiet"]],
    [["experiment", "cr"], ["create"]],
    [["check", "head", "--models-type", "best-b"], ["best-both"]],
    [["check", "head", "--models-type=best-b"], ["--models-type=best-both"]],
    [["check", "head", "--method", "best"], ["best-model-order"]],
    [
      ["check", "series", "--method", "e-div"],
      ["e-divisive", "e-divisive-otava"],
    ],
    [["import", "--from", "hyper"], ["hyperfine"]],
    [["import-profile", "--reader", "cpu"], ["cpuprofile"]],
    [["import-p"], ["import-profile"]],
    [["import", "--rea"], []],
    [["convert", "--to", "fol"], ["folded"]],
    [["collect", "ti"], ["time"]],
    [
      ["config", "get", "vcs."],
      ["vcs.type", "vcs.url"],
    ],
    [["log", "fe"], ["feature"]],
    [["log", "v"], ["v1.0"]],
    [["rm", "--minor=fe"], ["--minor=feature"]],
    [
      ["show", "0@"],
      [":files", "0@i", "0@p"],
    ],
    [
      ["add", "0@"],
      [":files", "0@p"],
    ],
    [["query", ""], ["io"]],
    [
      ["query", "io", ""],
      ["n", "mode", "t"],
    ],
    [
      ["query", "io", "--by", ""],
      ["n", "mode"],
    ],
    [["query", "io", "--by", "n,"], ["n,mode"]],
    [["query", "io", "--by=n,m"], ["--by=n,mode"]],
    [["query", "io", "--stat", "median,mi"], ["median,min"]],
    [["plot", "io", "--x", "n"], ["n"]],
    [["log", "v1.0..fe"], ["v1.0..feature"]],
    [["export", "io", "--commit=HEAD~1...v"], ["--commit=HEAD~1...v1.0"]],
    [["check", "series", "-e", "io", "--result=t"], ["--result=t"]],
    [["check", "series", "--where", ""], []],
    [["import", "-e", "i"], ["io"]],
    [["log", "--", "--fo"], []],
    [["nothing", ""], []],
    [["log", hostile.slice(0, 3)], [hostile]],
  ])("%j: %j", (words, wanted) => {
    expect(offered(...words)).toEqual(wanted);
  });

  test("versions by their short ids, told by their subjects", () => {
    const head = place.git("rev-parse", "HEAD").slice(0, 6);
    expect(place.ok("complete", "--", "log", head)).toMatch(/^[0-9a-f]{8,}\tfirst\n$/);
  });

  test("an option only once, unless it may be repeated", () => {
    expect(offered("query", "io", "--limit", "1", "--lim")).toEqual([]);
    expect(offered("query", "io", "--by", "a", "--b")).toEqual(["--by", "--branch"]);
  });

  test("commands of the other programs", () => {
    expect(place.ok("complete", "--program", "perun", "--", "postp")).toMatch(/^postprocessby\t/);
    expect(place.ok("complete", "--program", "perfbase", "--", "set")).toMatch(/^setup\t/);
  });

  test("nothing where there is nothing, and nothing is written or run", () => {
    const outside = new Playground();
    for (const words of [
      ["log", ""],
      ["show", ""],
      ["query", ""],
      ["check", "head", "--method", "zz"],
    ])
      expect(outside.run(["complete", "--", ...words])).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(outside.folder)).toEqual([]);
    outside.write(".perun/local.yml", "vcs:\n  type: mine\n  url: ../\nplugins: [evil.mjs]\n");
    outside.write(
      "evil.mjs",
      `import { writeFileSync } from "node:fs"; writeFileSync("canary", ""); export const plugin = () => null;`,
    );
    expect(outside.run(["complete", "--", "log", ""])).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(readdirSync(outside.folder).toSorted()).toEqual([".perun", "evil.mjs"]);
    expect(readdirSync(join(outside.folder, ".perun"))).toEqual(["local.yml"]);
    const before = statSync(join(place.folder, ".perun")).mtimeMs;
    offered("query", "");
    expect(statSync(join(place.folder, ".perun")).mtimeMs).toBe(before);
  });
});

/** Runs a script of a shell in the project, with our programs on its path. */
function shell(words: readonly string[], script: string): string {
  const [program = "", ...options] = words;
  const env = {
    PATH: `${programs}:${process.env["PATH"]}`,
    HOME: place.home,
    TERM: "dumb",
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const { stdout, stderr, error } = spawnSync(program, [...options, script], {
    cwd: place.folder,
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
  if (error) throw error;
  expect(stderr).toBe("");
  expect(existsSync(join(place.folder, "canary"))).toBe(false);
  return stdout;
}

/** Types a line into the shell in zpty, completes it, and prints the resulting line. */
function typedLine(line: string): string {
  return `say ${quoted(line)}$'\\t\\x18'; zpty -r shell answer '*<<*>>*'; print -r -- \${\${answer##*<<}%%>>*}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const missing = (name: string): boolean => spawnSync(name, ["--version"]).error !== undefined;
const titleFor = (name: string): string => `${name}${missing(name) ? " (skipped: there is no such program)" : ""}`;

/** Lines as they are typed, and the word that each completes to, or all there are. */
const lines: readonly (readonly [line: string, wanted: readonly string[]])[] = [
  ["perfkeep compl", ["completion"]],
  ["perfkeep status --format=js", ["--format=json"]],
  ["perfkeep status --format js", ["json"]],
  ["perfkeep log fea", ["feature"]],
  ["perfkeep rm 0@", ["0@i", "0@p"]],
  ["perfkeep import --from hyper", ["hyperfine"]],
  ["perfkeep query ", ["io"]],
  ["perun postp", ["postprocessby"]],
];

describe("the scripts", () => {
  test.skipIf(missing("bash"))(titleFor("bash"), () => {
    const tried = (line: string): string => {
      const typed = JSON.stringify(line);
      // What readline does: words are cut at its breaks, and what stands behind the last break is replaced.
      return `cut ${typed}; echo "\${base}\${COMPREPLY[*]/#/|}"`;
    };
    const cut = String.raw`eval "$(perfkeep completion bash)"
      compopt() { :; }
      cut() {
        COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=()
        local left=$1 word
        while [[ -n $left ]]; do
          if [[ $left =~ ^[[:space:]]+ ]]; then left=\${left:\${#BASH_REMATCH}}; [[ -z $left ]] && COMP_WORDS+=("")
          elif [[ $left =~ ^[=:@]+ || $left =~ ^[^[:space:]=:@]+ ]]; then
            COMP_WORDS+=("$BASH_REMATCH"); left=\${left:\${#BASH_REMATCH}}
          fi
        done
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
        _perfkeep "\${COMP_WORDS[0]}"
      }
`.replaceAll("\\$", "$");
    const output = shell(
      ["bash", "--norc", "-c"],
      `${cut}${[...lines.map(([line]) => line), "perfkeep log x"].map(tried).join("\n")}`,
    );
    const found = output.trimEnd().split("\n");
    // Behind = and @ only the rest is given back.
    expect(found.slice(0, -1)).toEqual([
      "|completion",
      "|json",
      "|json",
      "|feature",
      "|i |p",
      "|hyperfine",
      "|io",
      "|postprocessby",
    ]);
    expect(found.at(-1)).toBe(String.raw`|x\$\(touch\$\{IFS\}canary\)\`touch\$\{IFS\}canary\``);
  });

  // The pseudo-terminal that readline wants is zsh's.
  test.skipIf(missing("bash") || missing("zsh"))(
    `${titleFor("bash")}, typed into readline${missing("zsh") ? " (skipped: there is no zsh)" : ""}`,
    () => {
      const asked: readonly (readonly [typed: string, wanted: string])[] = [
        ["perfkeep query io --by n,m", "perfkeep query io --by n,mode "],
        ["perfkeep log v1.0..fea", "perfkeep log v1.0..feature "],
        ["perfkeep status --format=js", "perfkeep status --format=json "],
        ["perfkeep rm 0@", "perfkeep rm 0@"],
        ["perfkeep log x", String.raw`perfkeep log x\$\(touch\$\{IFS\}canary\)\`touch\$\{IFS\}canary\` `],
        ['perfkeep log "x', `perfkeep log "${hostile.replaceAll(/[$`]/g, String.raw`\$&`)}" `],
        ["perfkeep log 'x", `perfkeep log '${hostile}' `],
        ["perfkeep import res", String.raw`perfkeep import results\ dir/`],
        ['perfkeep import "results d', 'perfkeep import "results dir"/'],
        [String.raw`perfkeep import results\ dir/o`, String.raw`perfkeep import results\ dir/one.txt `],
        ["perfkeep export io --output=res", String.raw`perfkeep export io --output=results\ dir/`],
      ];
      const shown = String.raw`bind -x '"\C-x": echo "<<$READLINE_LINE>>"; READLINE_LINE='`;
      const start = `${shown}; eval "$(perfkeep completion bash)"; echo "<""<on>>"`;
      const script = `zmodload zsh/zpty
      zpty shell 'TERM=dumb PS1= bash --norc -i'
      say() { zpty -w -n shell "$1"; }
      say ${quoted(`bind 'set enable-bracketed-paste off'; ${start}`)}$'\\n'
      zpty -r shell answer '*<<on>>*'
      ${asked.map(([typed]) => typedLine(typed)).join("\n")}
      zpty -d shell`;
      const found = shell(["zsh", "-f", "-c"], script).split("\n").slice(0, -1);
      expect(found).toEqual(asked.map(([, wanted]) => wanted));
    },
  );

  test.skipIf(missing("zsh"))(titleFor("zsh"), () => {
    const asked = [...lines.map(([line]) => line), "perfkeep log x", "perfkeep import res"];
    const script = `zmodload zsh/zpty
      zpty shell 'TERM=dumb PS1= PS2= zsh -f -i'
      say() { zpty -w -n shell "$1"; }
      say 'autoload -Uz compinit; compinit -u -D'$'\\n'
      say 'zstyle ":completion:*" menu no; setopt noautomenu nolistbeep'$'\\n'
      say 'show() { print -r -- "<<$BUFFER>>"; BUFFER=; }; zle -N show; bindkey "^X" show'$'\\n'
      say 'eval "$(perfkeep completion zsh)"; echo "<""<on>>"'$'\\n'
      zpty -r shell answer '*<<on>>*'
      ${asked.map(typedLine).join("\n")}
      zpty -d shell`;
    const found = shell(["zsh", "-f", "-c"], script).trimEnd().split("\n");
    const completed = lines.map(([line, [only = "", ...others]]) =>
      others.length > 0 ? line : `${line.replace(/[^ =]*$/, "")}${only.replace(/^--format=/, "")} `,
    );
    const branch = String.raw`perfkeep log x\$\(touch\$\{IFS\}canary\)\`touch\$\{IFS\}canary\` `;
    expect(found).toEqual([...completed, branch, String.raw`perfkeep import results\ dir/`]);
  });

  test.skipIf(missing("fish"))(titleFor("fish"), () => {
    const asked = [...lines.map(([line]) => line), "perfkeep log x", "perfkeep import res"];
    const completions = asked.map((line) => `complete -C '${line}'; echo .`).join("\n");
    const script = `perfkeep completion fish | source\n${completions}`;
    const groups = shell(["fish", "--no-config", "-c"], script).split(/^\.\n/m).slice(0, -1);
    const found = groups.map((group) =>
      group
        .split("\n")
        .filter(Boolean)
        .map((line) => line.split("\t")[0]),
    );
    expect(found).toEqual([...lines.map(([, wanted]) => [...wanted]), [hostile], ["results dir/"]]);
  });
});
