package policy

import "fmt"

func ExampleSource() {
	fmt.Println(Source([]byte("alert('Hello, world.');")))
	// Output: sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=
}
