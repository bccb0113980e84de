package history

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func ExampleParseAnswer() {
	fmt.Println(ParseAnswer("FORMULA Kanban-PT-00005-UpperBounds-03 7 TECHNIQUES EXPLICIT RANDOM_WALK"))
	fmt.Println(ParseAnswer("FORMULA Both work FALSE TECHNIQUES EXPLICIT"))
	fmt.Println(ParseAnswer("FORMULA Kanban-PT-00005-UpperBounds-04 CANNOT_COMPUTE"))
	// Output:
	// {Kanban-PT-00005-UpperBounds-03 7 EXPLICIT RANDOM_WALK 0} true
	// {Both work FALSE EXPLICIT 0} true
	// {   0} false
}

// TestAnswersReadBack: an answer is read as it was written, whatever words its name has.
func TestAnswersReadBack(t *testing.T) {
	words := rapid.SampledFrom([]string{"Query", "Comment/Name", "Here", "TRUE", "7", "+inf", "TECHNIQUES", "EXPLICIT", "FORMULA", "CANNOT_COMPUTE", "?"})
	rapid.Check(t, func(t *rapid.T) {
		want := Answer{
			Question:   strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "name"), " "),
			Value:      rapid.SampledFrom([]string{"TRUE", "FALSE", "0", "18446744073709551616", "+inf"}).Draw(t, "value"),
			Techniques: strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"EXPLICIT", "LP_APPROX"}), 1, 3).Draw(t, "techniques"), " "),
		}
		if got, ok := ParseAnswer(fmt.Sprintf("FORMULA %s %s TECHNIQUES %s\n", want.Question, want.Value, want.Techniques)); !ok || got != want {
			t.Fatalf("%+v, %t, want %+v", got, ok, want)
		}
		if got, ok := ParseAnswer(fmt.Sprintf("FORMULA %s CANNOT_COMPUTE\n", want.Question)); ok {
			t.Fatalf("%+v of a question that was given up", got)
		}
	})
	for line, want := range map[string]Answer{
		"FORMULA a b TRUE":                   {Question: "a b", Value: "TRUE"},
		"FORMULA a 1.2345E+20 TECHNIQUES":    {Question: "a", Value: "1.2345E+20"},
		"FORMULA a FALSE of some kind":       {Question: "a", Value: "FALSE"},
		"STATE_SPACE TRANSITIONS -1":         {Question: "TRANSITIONS", Value: "-1"},
		"STATE_SPACE STATES 5 TECHNIQUES A ": {Question: "STATES", Value: "5", Techniques: "A"},
	} {
		if got, ok := ParseAnswer(line); !ok || got != want {
			t.Errorf("%s: %+v, %t", line, got, ok)
		}
	}
}
