package limits_test

import (
	"fmt"

	"pnmc/cmd/pnmc/internal/limits"
)

func ExampleParseSize() {
	for _, text := range []string{"1.5GB", "512 k", "4096", "much"} {
		bytes, err := limits.ParseSize(text)
		fmt.Println(bytes, err)
	}
	// Output:
	// 1610612736 <nil>
	// 524288 <nil>
	// 4096 <nil>
	// 0 expected a size such as 800MB or 4GB, found "much"
}
