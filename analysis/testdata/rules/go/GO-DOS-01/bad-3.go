package app

import (
	"net/http"
	"time"
)

func Run(address string) error {
	server := http.Server{ // ← here
		Addr:         address,
		WriteTimeout: time.Minute,
	}
	return server.ListenAndServe()
}
