package questions_test

import (
	"fmt"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/questions"
	"pnmc/internal/petritest"
	"pnmc/query"
)

// A property of a file says what is asked, and as which kind of question it is answered.
func ExampleOfQuery() {
	fires := func(t string) string {
		return "<is-fireable><transition>" + t + "</transition></is-fireable>"
	}
	properties, err := query.Read("properties.xml", []byte(`<property-set xmlns="http://mcc.lip6.fr/">
		<property><id>eats</id><formula><exists-path><finally>`+fires("eatLeft0")+`</finally></exists-path></formula></property>
		<property><id>forks</id><formula><place-bound><place>fork0</place></place-bound></formula></property>
		<property><id>again</id><formula><all-paths><globally><finally>`+fires("leave0")+`</finally></globally></all-paths></formula></property>
		</property-set>`))
	if err != nil {
		panic(err)
	}
	for _, p := range properties {
		question, kind, opposite, err := questions.OfQuery(p, checker.Vocabulary(petritest.Philosophers(2)))
		fmt.Printf("%s: %T, told as %s; opposite: %v, %v\n", p.ID, question, kind, opposite, err)
	}
	// Output:
	// eats: inquiry.Linear, told as ltl; opposite: true, <nil>
	// forks: inquiry.Bound, told as bound; opposite: false, <nil>
	// again: inquiry.Linear, told as ltl; opposite: false, <nil>
}
