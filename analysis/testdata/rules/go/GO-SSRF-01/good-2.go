package app

import (
	"net/http"
	"net/url"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	target, err := url.Parse(r.FormValue("url"))
	if err != nil || target.Host != "images.example.com" {
		return
	}
	http.Get(target.String())
}
