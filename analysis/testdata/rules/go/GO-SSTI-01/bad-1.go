package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page, err := template.New("page").Parse(r.FormValue("template")) // ← here
	_, _ = page, err
}
