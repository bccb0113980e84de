package translate_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"pnmc/automata/translate"
	"pnmc/logic"
)

func join(n int, sep, format string) string {
	var parts []string
	for i := range n {
		parts = append(parts, strings.ReplaceAll(strings.ReplaceAll(format, "#", fmt.Sprint(i)), "@", fmt.Sprint((i+1)%n)))
	}
	return strings.Join(parts, sep)
}

func TestHard(t *testing.T) {
	only := os.Getenv("HARD")
	for _, text := range []string{
		"G(" + join(30, " & ", "p#") + ")",
		"F(" + join(30, " & ", "p#") + ")",
		join(30, " U ", "p#"),
		"G(" + join(30, " | ", "p#") + ") & F(" + join(15, " xor ", "p#") + ")",
		join(6, " & ", "GFp#"),
		join(10, " & ", "GFp#"),
		"(" + join(10, " & ", "GFp#") + ") -> GFq",
		join(14, " & ", "GFp#"),
		join(30, " & ", "GFp#"),
		join(70, " & ", "GFp#"),
		join(6, " & ", "G(p# -> Fq#)"),
		join(9, " & ", "G(p# -> Fq#)"),
		join(12, " & ", "G(p# -> Fq#)"),
		"!(" + join(12, " & ", "G(p# -> Fq#)") + ")",
		join(30, " & ", "G(p# -> Fq#)"),
		join(8, " & ", "Fp#"),
		join(14, " & ", "Fp#"),
		join(30, " & ", "Fp#"),
		join(8, " & ", "(p# U q#)"),
		join(12, " & ", "(p# U q#)"),
		join(6, " & ", "(Fp# | Gp@)"),
		join(10, " & ", "(Fp# | Gp@)"),
		join(5, " & ", "(GFp# | FGq#)"),
		join(8, " & ", "(GFp# | FGq#)"),
		join(9, " | ", "(GFp# & FGq#)"),
		"G(p -> X[12] q)",
		"G(p -> F[0:12] q)",
		"GF(p & X[10] p)",
		"F(p & X[20] q)",
		"G(p <-> X[5] q)",
		join(10, " xor ", "p#"),
		"G(" + join(25, " xor ", "p#") + ")",
		join(8, " <-> ", "GFp#"),
		join(8, " xor ", "Fp#"),
		join(5, " xor ", "(p# U p@)"),
		strings.Repeat("(a U (b R ", 40) + "c" + strings.Repeat("))", 40),
		strings.Repeat("X(a U X(", 30) + "c" + strings.Repeat("))", 30),
	} {
		if only != "" && !strings.Contains(text, only) {
			continue
		}
		s := logic.NewFormulas()
		f := parse(t, s, text)
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		for _, neg := range []bool{false, true} {
			a, err := translate.ToAutomaton(ctx, s, f, translate.Options{Negate: neg})
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			short := text
			if len(short) > 50 {
				short = short[:50]
			}
			if err != nil {
				fmt.Println(short, neg, err, time.Since(start), m.Sys>>20)
				continue
			}
			fmt.Println(short, neg, a.States(), a.Edges(), a.Acceptance.Sets, time.Since(start), m.Sys>>20)
			start = time.Now()
		}
		cancel()
	}
}
