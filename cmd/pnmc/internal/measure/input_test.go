package measure

import "testing"

func TestChosenLines(t *testing.T) {
	for text, want := range map[string]string{"": "123456789", "1": "1", "9,2-4, 7": "23479", "8-20": "89"} {
		isChosen, err := chosenLines(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for line := 1; line < 10; line++ {
			if isChosen(line) {
				got += string(rune('0' + line))
			}
		}
		if got != want {
			t.Errorf("%q: %s, expected %s", text, got, want)
		}
	}
	for _, text := range []string{"0", "x", "3-2", "1,,2", "-4"} {
		if _, err := chosenLines(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
