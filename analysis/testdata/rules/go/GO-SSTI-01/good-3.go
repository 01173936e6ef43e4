package app

import (
	"net/url"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	target, err := url.Parse(r.FormValue("url"))
	_, _ = target, err
}
