package account

import "runtime/metrics"

// goMemory returns what the language's runtime holds of the operating system's memory, with
// garbage not yet collected, whether it was touched or not.
func goMemory() int64 {
	samples := [2]metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples[:])
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// programBytes is about what the program's own code and tables take.
const programBytes = 16 << 20
