package app

import (
	"net/http"
	"time"
)

func Run() error {
	server := &http.Server{Addr: ":80"}
	server.ReadTimeout = time.Second
	return server.ListenAndServe()
}
