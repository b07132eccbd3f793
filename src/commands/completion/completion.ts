import { exitCode } from "../exit-codes.ts";
import { choiceOption } from "../option-values.ts";
import { exits, type Verb } from "../verb.ts";

// Each script calls `supplyline complete -- WORDS…` with the words up to the cursor. The output has
// one candidate per line, with a description after a tab, or `:files` to complete file names. A
// candidate can be any text, so no script may split, expand or run it.

const bash = `# supplyline completion for bash: source <(supplyline completion bash)
_supplyline() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
      return
    fi
    COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")")
  done < <(supplyline complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _supplyline supplyline`;

const zsh = `#compdef supplyline
# supplyline completion for zsh: a file _supplyline in a folder of $fpath, or source it after compinit
_supplyline() {
  local -a found
  local line value
  for line in "\${(@f)$(supplyline complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ $line == :files ]]; then
      _files
      return
    fi
    value=\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}
    found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe supplyline found
}
if [[ $funcstack[1] == _supplyline ]]; then _supplyline "$@"; else compdef _supplyline supplyline; fi`;

const fish = `# supplyline completion for fish: ~/.config/fish/completions/supplyline.fish
function __supplyline_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (supplyline complete -- $typed[2..-1] 2>/dev/null)
  if test "$found[1]" = :files
    __fish_complete_path (commandline -ct)
  else if set -q found[1]
    printf '%s\\n' $found
  end
end
complete -c supplyline -f -a '(__supplyline_complete)'`;

const scripts = { bash, zsh, fish } as const;

const shells = ["bash", "zsh", "fish"] as const;

export const verb: Verb = {
  declare: (command) => command.argument("<shell>", shells.join(", "), choiceOption(shells)),
  run: async ({ out }, shell: (typeof shells)[number]) => {
    await out.line(scripts[shell]);
    return exitCode.done;
  },
  exits: exits.local,
  examples: [
    "source <(supplyline completion bash)   # ~/.bashrc",
    "supplyline completion zsh > ~/.zsh/functions/_supplyline",
    "supplyline completion fish > ~/.config/fish/completions/supplyline.fish",
  ],
};
