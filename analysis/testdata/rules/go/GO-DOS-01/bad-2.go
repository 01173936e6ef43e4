package app

import (
	"net/http"
)

func Run() error {
	return (&http.Server{Addr: ":80"}).ListenAndServe() // ← here
}
