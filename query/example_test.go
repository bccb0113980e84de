package query_test

import (
	"fmt"

	"pnmc/query"
)

func ExampleRead() {
	properties, err := query.Read("ReachabilityFireability.xml", []byte(`<property-set xmlns="http://mcc.lip6.fr/">
  <property>
    <id>Philosophers-PT-000005-ReachabilityFireability-00</id>
    <description>Some philosopher eats</description>
    <formula><exists-path><finally><is-fireable><transition>eat_1</transition></is-fireable></finally></exists-path></formula>
  </property>
</property-set>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(properties[0].Text(query.Nested))
	// Output:
	// Property Philosophers-PT-000005-ReachabilityFireability-00
	//    "Some philosopher eats"
	//    is:
	//       E (F (is-fireable("eat_1")))
	//    end.
}
