package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	cookie := &http.Cookie{Name: "session", Value: r.FormValue("id"), HttpOnly: true}
	cookie.Secure = r.TLS != nil
	http.SetCookie(w, cookie)
}
