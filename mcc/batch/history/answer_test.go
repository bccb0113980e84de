package history

import (
	"fmt"
	"strconv"
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

// TestManyQuestions: the lists of a run are looked through, or looked up in, with the same outcome.
func TestManyQuestions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.Map(rapid.IntRange(0, 150), strconv.Itoa)
		value := rapid.SampledFrom([]string{"TRUE", "T", "FALSE"})
		var r Run
		known := make(map[string]string)
		contradictions := 0
		for range rapid.IntRange(0, 300).Draw(t, "steps") {
			if rapid.IntRange(0, 60).Draw(t, "begin") == 0 {
				r.Questions, r.given = rapid.SliceOfN(name, 0, 150).Draw(t, "questions"), nil
			}
			a := Answer{Question: name.Draw(t, "question"), Value: value.Draw(t, "value")}
			r.take(a)
			if first, there := known[a.Question]; !there {
				known[a.Question] = a.Value
			} else if Normal(first) != Normal(a.Value) {
				contradictions++
			}
		}
		if len(r.Answers) != len(known) || len(r.Contradictions) != contradictions {
			t.Fatalf("%d answers and %d contradictions, expected %d and %d", len(r.Answers), len(r.Contradictions), len(known), contradictions)
		}
		for q := range 151 {
			a, given := r.Answer(strconv.Itoa(q))
			if first, there := known[strconv.Itoa(q)]; given != there || a.Value != first {
				t.Fatalf("%d: %v %q, expected %v %q", q, given, a.Value, there, first)
			}
		}
	})
}

// TestMergedManyQuestions: of a run in two journals, answers are found in what came of both.
func TestMergedManyQuestions(t *testing.T) {
	job := Job{Instance: "A-PT-1", Examination: "UpperBounds"}
	known := func(first int, value string, begun float64) *known {
		r := &Run{Job: job, Ended: true, Begun: begun}
		for q := range 200 {
			r.Questions = append(r.Questions, strconv.Itoa(q))
		}
		for q := first; q < first+100; q++ {
			r.take(Answer{Question: strconv.Itoa(q), Value: value})
		}
		h := newKnown()
		h.runs, h.byJob[job] = []*Run{r}, r
		return h
	}
	all := known(0, "TRUE", 1)
	all.merge(known(50, "FALSE", 2))
	r := all.byJob[job]
	for q := range 200 {
		want := ""
		switch {
		case q < 100:
			want = "TRUE"
		case q < 150:
			want = "FALSE"
		}
		if a, given := r.Answer(strconv.Itoa(q)); a.Value != want || given != (want != "") {
			t.Errorf("question %d: %q, expected %q", q, a.Value, want)
		}
	}
	if len(r.Answers) != 150 || len(r.Contradictions) != 50 {
		t.Errorf("%d answers and %d contradictions, expected 150 and 50", len(r.Answers), len(r.Contradictions))
	}
}
