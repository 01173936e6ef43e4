package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse("<p>{{.}}</p>"))
	page.Execute(w, template.HTML(r.FormValue("bio"))) // ← here
}
