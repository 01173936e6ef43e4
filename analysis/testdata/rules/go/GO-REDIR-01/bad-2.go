package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	next := r.URL.Query().Get("return")
	if next == "" {
		next = "/"
	}
	http.Redirect(w, r, next, 302) // ← here
}
