package limits

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "10B": 10, "2kB": 2048, "1.5 MB": 3 << 19, "4GB": 4 << 30, "4g": 4 << 30, "3GiB": 3 << 30, "1TB": 1 << 40,
		"": -1, "MB": -1, "-1GB": -1, "0": -1, "4XB": -1, "1e30GB": -1, "NaN": -1,
	} {
		got, err := ParseSize(text)
		if want < 0 && err == nil || want >= 0 && (err != nil || got != want) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}
