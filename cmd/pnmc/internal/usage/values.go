package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/inquiry"
	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/mcc"
	"pnmc/symbolic"
	"pnmc/symbolic/order"
)

// FlagValues returns the values that a flag of a command can have, if they are few; the
// command is empty for the flags without one.
func FlagValues(command, flag string) []string {
	switch flag {
	case "approach", "approaches":
		return product.ApproachNames()
	case "engine":
		return []string{"explicit", "symbolic"}
	case "examination":
		return mcc.Examinations()
	case "examinations":
		return append([]string{AllExaminations}, mcc.Examinations()...)
	case "to":
		if command == "convert" {
			return append([]string{"pnml", "pnml-2004", "tina", "lola", "gal", "etf", "hoa", "dot", "svg"}, approach.Kinds...)
		}
		return approach.Kinds
	case "format":
		if command == "convert" || command == "translate" {
			return []string{"hoa", "dot", "svg"}
		}
		return []string{"text", "json"}
	case "net-format":
		return []string{"pnml", "tina", "lola"}
	case "trace-format":
		return told.RunFormats
	case "ltl-syntax":
		return []string{"spot", "spin", "lbt"}
	case "exploration":
		return symbolic.MethodNames()
	case "encoding":
		return symbolic.EncodingNames()
	case "order":
		return append([]string{"auto"}, order.Names()...)
	case "for":
		return []string{"deadlock", "reachability", "ltl-x", "ctl-x", "ltl", "ctl", "liveness", "count"}
	case "por":
		return []string{"on", "off"}
	case "without":
		return inquiry.Avoidable()
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

// OfferValues prints the candidates for the value of a flag, if such are asked for: behind
// the flag and an empty word, or in one word with the flag. It reports whether they were.
//
// For example, behind pnmc states --engine it prints explicit, symbolic and :only, a line each,
// and behind "--approaches=ba," lines such as --approaches=ba,tgba, and :only.
func OfferValues(app *cli.App, arguments []string) bool {
	n := len(arguments)
	if n < 3 || arguments[n-1] != completionRequest {
		return false
	}
	command, flags := "", app.Flags
	if c := app.Command(arguments[1]); c != nil {
		command, flags = c.Name, c.Flags
	}
	word, before := arguments[n-2], arguments[1:n-2]
	if flag, value, one := strings.Cut(word, "="); one && TakesValue(flags, flag) {
		begun, values := nextValues(command, primaryName(flags, flag), value)
		printValues(app.Writer, flag+"="+begun, values)
		return true
	}
	if last := len(before) - 1; last > 0 && before[last] == "=" { // bash takes flag=value apart
		before = before[:last]
	}
	if word != "" && !strings.Contains(word, ",") || len(before) == 0 || !strings.HasPrefix(before[len(before)-1], "-") || !TakesValue(flags, before[len(before)-1]) {
		return false
	}
	begun, values := nextValues(command, primaryName(flags, before[len(before)-1]), word)
	printValues(app.Writer, begun, values)
	return true
}

// nextValues returns the values that a flag can have. If the flag takes several, and word has
// some of them with commas behind, it returns those that can come next.
func nextValues(command, flag, word string) (begun string, values []string) {
	values = FlagValues(command, flag)
	begun = word[:strings.LastIndex(word, ",")+1]
	if begun == "" || !slices.Contains(SeveralValues, flag) {
		return "", values
	}
	given := strings.Split(begun, ",")
	return begun, slices.DeleteFunc(values, func(v string) bool { return v == AllExaminations || slices.Contains(given, v) })
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

// primaryName returns the first name of a flag that an argument gives by any.
func primaryName(flags []cli.Flag, argument string) string {
	name := strings.TrimLeft(argument, "-")
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f.Names()[0]
		}
	}
	return name
}

// WithoutEmptyWord returns a request for candidates as the library knows it: without the empty
// word that is being completed.
func WithoutEmptyWord(arguments []string) []string {
	if n := len(arguments); n > 2 && arguments[n-1] == completionRequest && arguments[n-2] == "" {
		return append(slices.Clone(arguments[:n-2]), completionRequest)
	}
	return arguments
}

// AllExaminations stands for all of them: those are left out whose property file an
// instance lacks.
const AllExaminations = "all"
