package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	pages := map[string]string{"home": "/", "shop": "/shop"}
	http.Redirect(w, r, pages[r.FormValue("next")], 302)
}
