package longtoken_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/internal/longtoken"
)

func ExampleRoom() {
	room := longtoken.Room{Limit: func(bytes int) error {
		fmt.Println("asked for", bytes>>10, "KB")
		return nil
	}}
	for length := range 200 << 10 { // of a token that is read byte by byte
		if err := room.Grow(length); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// asked for 256 KB
	// asked for 512 KB
}

// TestRoomAsksBeforeABufferGrows: whatever a buffer that doubles began with, what it grows by was
// asked for since it grew last.
func TestRoomAsksBeforeABufferGrows(t *testing.T) {
	for first := 64; first < 128; first++ {
		asked, held := 0, first
		room := longtoken.Room{Limit: func(bytes int) error { asked = bytes; return nil }}
		for length := 0; length < longtoken.Most; length += 64 {
			if err := room.Grow(length); err != nil {
				t.Fatal(err)
			}
			for held < length+64 {
				if held *= 2; held > 4*longtoken.Short && held > asked {
					t.Fatalf("a buffer of %d first bytes grows to %d, and %d were asked for", first, held, asked)
				}
			}
		}
	}
}

// TestRoomEnds: a token ends at the most, and with the error of the limit.
func TestRoomEnds(t *testing.T) {
	var none longtoken.Room
	var long *longtoken.Error
	if err := none.Grow(longtoken.Most - 1); err != nil {
		t.Error(err)
	}
	if err := none.Grow(longtoken.Most); !errors.As(err, &long) {
		t.Errorf("%v, expected that it is too long", err)
	}
	full := errors.New("full")
	room := longtoken.Room{Limit: func(int) error { return full }}
	for name, err := range map[string]error{"grow": room.Grow(longtoken.Short), "again": room.Grow(longtoken.Short), "copy": room.Copy(longtoken.Short)} {
		if err != full {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := errors.Join(room.Grow(longtoken.Short-1), room.Copy(longtoken.Short-1)); err != nil {
		t.Errorf("a short token: %v", err)
	}
	if text := longtoken.Shorten(strings.Repeat("x", 1<<20)); len(text) > 300 || longtoken.Shorten("x") != "x" {
		t.Errorf("shortened to %d bytes", len(text))
	}
}
