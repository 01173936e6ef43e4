package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	client := &http.Client{}
	client.Post(r.Header.Get("X-Callback"), "application/json", nil) // ← here
}
