package main

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
)

type Event struct {
	Event string
	Data  struct{ Reference string }
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	mac := hmac.New(sha512.New, []byte(os.Getenv("PAYSTACK_SECRET_KEY")))
	mac.Write(body)
	want := hex.EncodeToString(mac.Sum(nil))
	if !hmac.Equal([]byte(want), []byte(r.Header.Get("x-paystack-signature"))) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event Event
	json.Unmarshal(body, &event)
	if event.Event == "charge.success" {
		db.Exec("UPDATE payments SET status = 'paid' WHERE reference = $1 AND status = 'pending'", event.Data.Reference)
	}
}

func main() {
	http.HandleFunc("/webhooks/paystack", receive)
}
