package account_test

import (
	"errors"
	"fmt"
	"math"

	"pnmc/internal/account"
)

// A loop charges what each round costs. The account looks at the limits now and then, so that the
// loop ends soon after its context does: here when the context was asked for the third time.
func ExampleAccount_Charge() {
	a := account.Of(account.EndsAfter(3))
	rounds := 0
	for ; a.Charge(1<<10) == nil; rounds++ {
	}
	fmt.Println("thousands of rounds:", rounds > 1000, a.Context().Err())
	// Output: thousands of rounds: true context deadline exceeded
}

// Before a large allocation the account is asked for room.
func ExampleAccount_Reserve() {
	a := account.New(account.Budget{MemoryBytes: 1 << 30})
	fmt.Println("a mebibyte:", a.Reserve(1<<20))
	var spent *account.MemoryError
	fmt.Println("all that there are is too much:", errors.As(a.Reserve(math.MaxInt), &spent))
	// Output:
	// a mebibyte: <nil>
	// all that there are is too much: true
}
