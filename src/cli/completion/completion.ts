import { Failure, exitStatus } from "../../core/failures/index.ts";
import type { Verb } from "../verb.ts";

/** Programs that the scripts complete. */
const programs = ["perfkeep", "perun", "perfbase"];

/**
 * Bash also splits words at `=`, `:` and `@`, and replaces only the part after the last of them or after an open quote.
 * The script joins words again, removes quotes, and strips the part that bash keeps from each candidate. It never
 * evaluates words: branch and profile names can be anything. File names are left to readline, which quotes them.
 */
const bash = `# perfkeep: completion for bash. In ~/.bashrc: eval "$(perfkeep completion bash)"
_perfkeep_read() { # the words before the cursor
  local rest=\${COMP_LINE:0:COMP_POINT} word i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $i -gt 0 && -n $rest && $rest != [[:space:]]* ]]; then
      ((i == COMP_CWORD)) && word=$rest
      words[\${#words[@]}-1]+=$word
    else
      rest=\${rest#"\${rest%%[![:space:]]*}"}
      ((i == COMP_CWORD)) && word=$rest
      words+=("$word")
    fi
    rest=\${rest#"$word"}
  done
}
_perfkeep_unquote() { # $1 without quotes, its open quote, and the part that bash keeps
  local i char
  plain= open= kept=
  for ((i = 0; i < \${#1}; i++)); do
    char=\${1:i:1}
    if [[ -z $open && $char == [\\'\\"] ]]; then
      open=$char kept=$plain
    elif [[ -n $open && $char == "$open" ]]; then
      open= kept=$plain
    elif [[ $char == "\\\\" && ( -z $open || ( $open == '"' && \${1:i+1:1} == [\\"\\$\\\`\\\\] ) ) ]]; then
      plain+=\${1:++i:1}
    else
      plain+=$char
      [[ -z $open && $char == [=:@] && $COMP_WORDBREAKS == *"$char"* ]] && kept=$plain
    fi
  done
}
_perfkeep_quote() { # $word as typed after the open quote
  local i char text=$word
  if [[ $open == '"' ]]; then
    word=
    for ((i = 0; i < \${#text}; i++)); do
      char=\${text:i:1}
      [[ $char == [\\"\\$\\\`\\\\] ]] && word+="\\\\"
      word+=$char
    done
  elif [[ -z $open && $text == *[!A-Za-z0-9_./,:=@%^+-]* ]]; then
    printf -v word %q "$text"
  fi
}
_perfkeep() {
  local plain open kept word synopsis count i files=
  local -a words unquoted=()
  _perfkeep_read
  for word in "\${words[@]}"; do
    _perfkeep_unquote "$word"
    unquoted+=("$plain")
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r word synopsis; do
    if [[ $word == :files ]]; then
      files=yes
    elif [[ $open != "'" || $word != *"'"* ]]; then
      COMPREPLY+=("\${word#"$kept"}")
    fi
  done < <(command perfkeep complete --program "\${1##*/}" -- "\${unquoted[@]:1}" 2>/dev/null)
  if [[ -n $files && \${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o bashdefault -o default 2>/dev/null
    return 0
  fi
  count=\${#COMPREPLY[@]}
  [[ -n $files ]] && while IFS= read -r word; do COMPREPLY+=("\${word#"$kept"}"); done < <(compgen -f -- "$plain")
  if ((\${#COMPREPLY[@]} > count)); then
    compopt -o filenames 2>/dev/null
  else
    for i in "\${!COMPREPLY[@]}"; do
      word=\${COMPREPLY[i]}
      _perfkeep_quote
      COMPREPLY[i]=$word
    done
  fi
  return 0
}
complete -F _perfkeep ${programs.join(" ")}
`;

const zsh = `#compdef ${programs.join(" ")}
# perfkeep: completion for zsh. In ~/.zshrc, after compinit: eval "$(perfkeep completion zsh)"
_perfkeep() {
  local line word synopsis files=
  local -a before described
  before=("\${(@Q)words[2,CURRENT-1]}")
  while IFS=$'\\t' read -r word synopsis; do
    if [[ $word == :files ]]; then
      files=yes
    else
      described+=("\${word//:/\\\\:}\${synopsis:+:$synopsis}")
    fi
  done < <(command perfkeep complete --program "\${words[1]:t}" -- "\${before[@]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( $#described )) && _describe -V word described
  if [[ -n $files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    _files
  fi
}
if [[ $funcstack[1] == _perfkeep ]]; then
  _perfkeep "$@"
else
  compdef _perfkeep ${programs.join(" ")}
fi
`;

const fish = `# perfkeep: completion for fish. In config.fish: perfkeep completion fish | source
function __perfkeep_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string split -r -m1 / -- $words[1])[-1]
    set -e words[1]
    for line in (command perfkeep complete --program $program -- $words "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$current")
        else
            echo $line
        end
    end
end
${programs.map((program) => `complete -c ${program} -f -k -a '(__perfkeep_complete)'`).join("\n")}
`;

/** The completion script of each shell. */
const completionScripts = { bash, zsh, fish } as const;

const shells = Object.keys(completionScripts);

export const completion: Verb = {
  name: "completion",
  summary: "print a completion script for bash, zsh or fish",
  details: [
    "Completes verbs, options, their choices, and commits, profiles, experiments, formats and plug-ins of the current",
    "project; also for perun and perfbase. Completion writes nothing and runs no configured commands.",
    "",
    'Examples: eval "$(perfkeep completion bash)"            # in ~/.bashrc',
    '          eval "$(perfkeep completion zsh)"             # in ~/.zshrc, after compinit',
    "          perfkeep completion fish | source             # in ~/.config/fish/config.fish",
  ].join("\n"),
  operands: [{ name: "<shell>", synopsis: shells.join(", "), known: shells }],
  async run(session, args) {
    const shell = args.operand(0);
    const script = Object.entries(completionScripts).find(([name]) => name === shell)?.[1];
    if (script === undefined) throw new Failure("unknown-choice", { kind: "shell", value: shell, choices: shells });
    session.output.data(script);
    return exitStatus.fine;
  },
};
