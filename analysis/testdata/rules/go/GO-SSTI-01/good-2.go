package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	const page = "<p>{{.Name}}</p>"
	template.New("page").Parse(page)
}
