package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/usage"
)

// bashCompletion and the scripts below ask the program itself for candidates, as urfave/cli
// documents it. But they always pass the word that is being completed, as an empty word unless it
// begins a flag or is a list of values with commas. So the program knows whether the word before
// is a flag that wants a value. Where only the values that it offers are possible, it ends the
// list with onlyValues, and the scripts offer no files.
const bashCompletion = `_pnmc_complete() {
  local current="${COMP_WORDS[COMP_CWORD]}" asked="" words
  [[ "$current" == -* || "$current" == *,* ]] && asked="$current"
  [[ "$current" == "=" ]] && current=""
  words=$("${COMP_WORDS[@]:0:$COMP_CWORD}" "$asked" --generate-bash-completion 2>/dev/null)
  COMPREPLY=($(compgen -W "${words%:only}" -- "$current"))
  [[ "$words" == *:only ]] || COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _pnmc_complete pnmc
`

const zshCompletion = `#compdef pnmc
_pnmc() {
  local -a candidates
  local current="${words[-1]}" asked=""
  [[ "$current" == -* || "$current" == *,* ]] && asked="$current"
  candidates=("${(@f)$(${words[@]:0:#words[@]-1} "$asked" --generate-bash-completion 2>/dev/null)}")
  if [[ "${candidates[-1]}" == ":only" ]]; then
    candidates[-1]=()
    _describe 'values' candidates
    return
  fi
  [[ -n "${candidates[1]}" ]] && _describe 'values' candidates
  _files
}
compdef _pnmc pnmc
`

const completionDescription = `bash:  source <(pnmc completion bash)
zsh:   source <(pnmc completion zsh)
fish:  pnmc completion fish | source`

// offerShells lists for a shell which shells have a script.
func offerShells(c *cli.Context) {
	if !c.Args().Present() {
		fmt.Fprint(c.App.Writer, "bash\nzsh\nfish\n")
	}
}

// completionAction prints the script of a shell.
func completionAction(c *cli.Context) error {
	if c.NArg() > 1 {
		return exit.UsageError("unexpected argument %q", c.Args().Get(1))
	}
	var script string
	switch shell := c.Args().First(); shell {
	case "bash":
		script = bashCompletion
	case "zsh":
		script = zshCompletion
	case "fish":
		var err error
		if script, err = c.App.ToFishCompletion(); err != nil {
			return err
		}
		script += fishValues(c.App)
	default:
		return exit.UsageError("completion: expected bash, zsh or fish, found %q", shell)
	}
	_, err := fmt.Fprint(c.App.Writer, script)
	return err
}

// fishValues returns the lines by which fish offers values of flags.
func fishValues(app *cli.App) string {
	var script strings.Builder
	add := func(condition, command string, flags []cli.Flag) {
		for _, f := range flags {
			name := f.Names()[0]
			if values := usage.FlagValues(command, name); len(values) > 0 {
				offered := strings.Join(values, " ")
				if slices.Contains(usage.SeveralValues, name) {
					offered = "(__fish_append , " + offered + ")"
				}
				fmt.Fprintf(&script, "complete -c pnmc -n '%s' -l %s -x -a '%s'\n", condition, name, offered)
			}
		}
	}
	add("__fish_pnmc_no_subcommand", "", app.Flags)
	for _, c := range app.Commands {
		add("__fish_seen_subcommand_from "+c.Name, c.Name, c.Flags)
	}
	return script.String()
}
