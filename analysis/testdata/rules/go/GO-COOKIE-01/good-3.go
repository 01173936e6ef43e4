package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "theme", Value: r.FormValue("theme")})
}
