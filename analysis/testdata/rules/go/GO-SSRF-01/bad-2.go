package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	req, err := http.NewRequest("GET", "https://"+host+"/status", nil) // ← here
	_, _ = req, err
}
