package app

import (
	"net/http"
)

func Run(handler http.Handler) error {
	server := &http.Server{Addr: ":8080", Handler: handler} // ← here
	return server.ListenAndServe()
}
