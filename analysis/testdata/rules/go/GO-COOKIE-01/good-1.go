package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: r.FormValue("id"), Secure: true, HttpOnly: true})
}
