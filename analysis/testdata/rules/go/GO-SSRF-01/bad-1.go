package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	resp, err := http.Get(r.FormValue("url")) // ← here
	_, _ = resp, err
}
