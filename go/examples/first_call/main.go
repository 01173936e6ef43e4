// Shows the signed-in user and the available balance. Amounts are in minor units: kobo, cents, piastres.
package main

import (
	"context"
	"fmt"
	"log"

	"cowrie.example/cowrie"
)

func main() {
	// The address and the key are COWRIE_URL and COWRIE_API_KEY.
	client := cowrie.New("", "")
	me, err := client.Me.Get(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s of %s can spend %d %s\n", me.Email, me.OrgName, me.AvailableMinor, me.Currency.MinorName)
}
