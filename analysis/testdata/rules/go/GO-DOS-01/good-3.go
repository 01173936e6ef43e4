package app

import (
	"net/http"
)

func Serve(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler}
}
