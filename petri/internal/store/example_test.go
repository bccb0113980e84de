package store_test

import (
	"fmt"

	"pnmc/petri/internal/store"
)

// Markings of one word, of which two bytes are kept, get numbers in the order in which they come.
func ExampleStore() {
	s := store.New(1, 2)
	for _, packed := range []uint64{0x0102, 0x0003, 0x0102} {
		id, isNew := s.Intern([]uint64{packed})
		fmt.Printf("%#x has number %d, new: %v\n", packed, id, isNew)
	}
	back := make([]uint64, 1)
	s.Load(1, back)
	fmt.Printf("number 1 is %#x of %d\n", back[0], s.Len())
	// Output:
	// 0x102 has number 0, new: true
	// 0x3 has number 1, new: true
	// 0x102 has number 0, new: false
	// number 1 is 0x3 of 2
}
