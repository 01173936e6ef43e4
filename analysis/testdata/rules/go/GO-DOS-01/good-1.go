package app

import (
	"net/http"
	"time"
)

func Run() error {
	return (&http.Server{Addr: ":80", ReadHeaderTimeout: time.Second}).ListenAndServe()
}
