package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// The scripts ask the program itself for candidates, as urfave/cli documents it.
const bashCompletion = `_pnmc_complete() {
  local current="${COMP_WORDS[COMP_CWORD]}" words
  if [[ "$current" == -* ]]; then
    words=$("${COMP_WORDS[@]:0:$COMP_CWORD}" "$current" --generate-bash-completion 2>/dev/null)
  else
    words=$("${COMP_WORDS[@]:0:$COMP_CWORD}" --generate-bash-completion 2>/dev/null)
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _pnmc_complete pnmc
`

const zshCompletion = `#compdef pnmc
_pnmc() {
  local -a candidates
  local current="${words[-1]}"
  if [[ "$current" == -* ]]; then
    candidates=("${(@f)$(${words[@]:0:#words[@]-1} ${current} --generate-bash-completion 2>/dev/null)}")
  else
    candidates=("${(@f)$(${words[@]:0:#words[@]-1} --generate-bash-completion 2>/dev/null)}")
  fi
  [[ -n "${candidates[1]}" ]] && _describe 'values' candidates
  _files
}
compdef _pnmc pnmc
`

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a shell completion script",
		ArgsUsage: "bash|zsh|fish",
		Description: "bash:  source <(pnmc completion bash)\n" +
			"zsh:   source <(pnmc completion zsh)\n" +
			"fish:  pnmc completion fish | source",
		BashComplete: func(c *cli.Context) {
			if !c.Args().Present() {
				fmt.Fprint(c.App.Writer, "bash\nzsh\nfish\n")
			}
		},
		Action: func(c *cli.Context) error {
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
			default:
				return usageError("completion: expected bash, zsh or fish, found %q", shell)
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
