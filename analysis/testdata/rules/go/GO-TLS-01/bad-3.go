package app

import (
	"crypto/tls"
)

const skip = true

func Config() *tls.Config {
	return &tls.Config{InsecureSkipVerify: skip, MinVersion: tls.VersionTLS12} // ← here
}
