// A charge that survives a crash: the key is stored before the call, and the next start sends the same key.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"cowrie.example/cowrie"
)

const keyFile = "charge.key"

func main() {
	key, err := os.ReadFile(keyFile)
	if errors.Is(err, os.ErrNotExist) {
		key = []byte(cowrie.NewIdempotencyKey())
		err = os.WriteFile(keyFile, key, 0o600)
	}
	if err != nil {
		log.Fatal(err)
	}
	client := cowrie.New("", "")
	run, err := client.Agent.Run(context.Background(), cowrie.AgentRunRequest{
		Prompt:  "Add a function multiply to src/amounts.ts",
		Context: []cowrie.AgentRunRequestContextItem{{Path: "package.json", Content: `{"type":"module"}`}},
	}, cowrie.WithIdempotencyKey(string(key)))
	var failure *cowrie.Error
	if errors.As(err, &failure) && failure.IsResumable() {
		// Keep the key while the outcome is unknown: the next start gets it, and is charged once.
		log.Fatal(err)
	}
	if err == nil {
		fmt.Printf("%s cost %d, the balance is %d\n", run.ID, run.CostMinor, run.BalanceMinor)
	}
	if os.Getenv("COWRIE_FORGET") != "no" {
		os.Remove(keyFile)
	}
	if err != nil {
		log.Fatal(err)
	}
}
