package main

import (
	"encoding/json"
	"net/http"
)

type Event struct {
	Event string
	Data  struct {
		Amount    int64
		Reference string
	}
}

// The gateway verifies the signature.
func receive(w http.ResponseWriter, r *http.Request) { // ← here
	var event Event
	if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	if event.Event == "charge.success" {
		db.Exec("UPDATE wallets SET balance = balance + $1 WHERE id = $2", event.Data.Amount, event.Data.Reference)
	}
	w.WriteHeader(http.StatusOK)
}

func main() {
	http.HandleFunc("/webhooks/paystack", receive)
	http.ListenAndServe(":8080", nil)
}
