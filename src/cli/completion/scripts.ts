/** Programs whose words the scripts complete. */
const programs = ["perfkeep", "perun", "perfbase"];

/**
 * Bash cuts words at `=`, `:` and `@` as well, and replaces only what stands behind the last of them: words are put together again, and what bash keeps is
 * taken off what it is offered. Words are never evaluated: names of branches and profiles can be anything.
 */
const bash = `# perfkeep: completion for bash. In ~/.bashrc: eval "$(perfkeep completion bash)"
_perfkeep() {
  local rest=\${COMP_LINE:0:COMP_POINT} current= kept= word synopsis quoted i
  local -a words=()
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
  current=\${words[\${#words[@]}-1]}
  for word in = : @; do
    if [[ $COMP_WORDBREAKS == *"$word"* && $current == *"$word"* ]]; then
      word=\${current%"$word"*}$word
      ((\${#word} > \${#kept})) && kept=$word
    fi
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r word synopsis; do
    if [[ $word == :files ]]; then
      compopt -o default 2>/dev/null
      while IFS= read -r word; do
        printf -v quoted %q "$word"
        [[ -d $word ]] && quoted+=/
        COMPREPLY+=("$quoted")
      done < <(compgen -f -- "\${current#--*=}")
    else
      printf -v quoted %q "\${word#"$kept"}"
      COMPREPLY+=("$quoted")
    fi
  done < <(command perfkeep complete --program "\${1##*/}" -- "\${words[@]:1}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _perfkeep ${programs.join(" ")}
`;

const zsh = `#compdef ${programs.join(" ")}
# perfkeep: completion for zsh. In ~/.zshrc, behind compinit: eval "$(perfkeep completion zsh)"
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

const fish = `# perfkeep: completion for fish. Into ~/.config/fish/completions/perfkeep.fish, or in config.fish: perfkeep completion fish | source
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

/** What a shell reads to complete our words. */
export const completionScripts = { bash, zsh, fish } as const;
