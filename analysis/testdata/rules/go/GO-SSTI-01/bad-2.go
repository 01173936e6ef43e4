package app

import (
	"text/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	text := "<p>" + r.FormValue("greeting") + "</p>"
	template.Must(template.New("page").Parse(text)) // ← here
}
