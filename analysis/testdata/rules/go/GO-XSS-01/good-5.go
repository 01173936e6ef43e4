package app

import (
	"fmt"
	"strconv"
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	count, _ := strconv.Atoi(r.FormValue("count"))
	fmt.Fprintf(w, "<b>%d</b>", count)
	page := template.HTML("<hr>")
	_ = page
}
