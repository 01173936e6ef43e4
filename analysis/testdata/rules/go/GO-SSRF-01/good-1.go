package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.Get("https://api.example.com/users/" + r.FormValue("id"))
}
