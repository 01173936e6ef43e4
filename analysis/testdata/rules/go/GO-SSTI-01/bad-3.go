package app

import (
	"io"
	"text/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	template.New("mail").Parse(string(body)) // ← here
}
