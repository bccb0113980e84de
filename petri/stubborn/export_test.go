package stubborn

// SetLongRing sets from how many places on rings are long, and returns what it was.
func SetLongRing(places int) int {
	before := longRing
	longRing = places
	return before
}
