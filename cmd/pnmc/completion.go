package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/mcc"
	"pnmc/symbolic"
	"pnmc/symbolic/order"
)

// The scripts ask the program itself for candidates, as urfave/cli documents it, but that
// they give the word that is being completed in any case: empty unless it begins a flag or
// is a list of values with commas between them.
// The program then knows whether the word before is a flag that wants a value. Where only
// the values that it offers are possible, it ends the list with onlyValues, and the scripts
// offer no files.
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
		},
	}
}

// flagValues are the values that a flag of a command can have, if they are few; the
// command is empty for the flags without one.
func flagValues(command, flag string) []string {
	switch flag {
	case "approach", "approaches":
		return product.ApproachNames()
	case "engine":
		return []string{"explicit", "symbolic"}
	case "examination":
		return mcc.Examinations()
	case "examinations":
		return append([]string{allExaminations}, mcc.Examinations()...)
	case "to":
		if command == "convert" {
			return append([]string{"pnml", "etf", "hoa", "dot", "svg"}, automatonKinds...)
		}
		return automatonKinds
	case "format":
		if command == "convert" || command == "translate" {
			return []string{"hoa", "dot", "svg"}
		}
		return []string{"text", "json"}
	case "trace-format":
		return traceFormats
	case "ltl-syntax":
		return []string{"spot", "spin", "lbt"}
	case "exploration":
		return symbolic.MethodNames()
	case "encoding":
		return symbolic.EncodingNames()
	case "order":
		return append([]string{"auto"}, order.Names()...)
	case "saturation":
		if command == "bench" {
			return []string{"on", "off", "both"}
		}
		return []string{"on", "off"}
	case "state-variable":
		return symbolic.StateVariableNames()
	}
	return nil
}

// completionRequest is the argument by which shells ask for candidates.
const completionRequest = "--generate-bash-completion"

// onlyValues ends a list of candidates besides which nothing is possible.
const onlyValues = ":only"

// offerValues prints the candidates for the value of a flag, if such are asked for: behind
// the flag and an empty word, or in one word with the flag. It reports whether they were.
func offerValues(app *cli.App, arguments []string) bool {
	n := len(arguments)
	if n < 3 || arguments[n-1] != completionRequest {
		return false
	}
	command, flags := "", app.Flags
	if c := app.Command(arguments[1]); c != nil {
		command, flags = c.Name, c.Flags
	}
	word, before := arguments[n-2], arguments[1:n-2]
	if flag, value, one := strings.Cut(word, "="); one && takesValue(flags, flag) {
		begun, values := nextValues(command, primaryName(flags, flag), value)
		printValues(app.Writer, flag+"="+begun, values)
		return true
	}
	if last := len(before) - 1; last > 0 && before[last] == "=" { // bash takes flag=value apart
		before = before[:last]
	}
	if word != "" && !strings.Contains(word, ",") || len(before) == 0 || !strings.HasPrefix(before[len(before)-1], "-") || !takesValue(flags, before[len(before)-1]) {
		return false
	}
	begun, values := nextValues(command, primaryName(flags, before[len(before)-1]), word)
	printValues(app.Writer, begun, values)
	return true
}

// nextValues are the values that a flag can have or, if it takes several and word has some
// of them with commas behind, those that can follow what is begun.
func nextValues(command, flag, word string) (begun string, values []string) {
	values = flagValues(command, flag)
	begun = word[:strings.LastIndex(word, ",")+1]
	if begun == "" || !slices.Contains(severalValues, flag) {
		return "", values
	}
	given := strings.Split(begun, ",")
	return begun, slices.DeleteFunc(values, func(v string) bool { return v == allExaminations || slices.Contains(given, v) })
}

// printValues prints the values that a flag can have, if these are known.
func printValues(w io.Writer, prefix string, values []string) {
	if len(values) == 0 {
		return
	}
	for _, v := range values {
		fmt.Fprintf(w, "%s%s\n", prefix, v)
	}
	fmt.Fprintln(w, onlyValues)
}

// primaryName is the first name of a flag that an argument gives by any.
func primaryName(flags []cli.Flag, argument string) string {
	name := strings.TrimLeft(argument, "-")
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f.Names()[0]
		}
	}
	return name
}

// withoutEmptyWord is a request for candidates as the library knows it: without the empty
// word that is being completed.
func withoutEmptyWord(arguments []string) []string {
	if n := len(arguments); n > 2 && arguments[n-1] == completionRequest && arguments[n-2] == "" {
		return append(slices.Clone(arguments[:n-2]), completionRequest)
	}
	return arguments
}

// fishValues are the lines by which fish offers values of flags.
func fishValues(app *cli.App) string {
	var script strings.Builder
	add := func(condition, command string, flags []cli.Flag) {
		for _, f := range flags {
			name := f.Names()[0]
			if values := flagValues(command, name); len(values) > 0 {
				offered := strings.Join(values, " ")
				if slices.Contains(severalValues, name) {
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
