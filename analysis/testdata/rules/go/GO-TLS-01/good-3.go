package app

import (
	"crypto/tls"
)

func Config(insecure bool) *tls.Config {
	return &tls.Config{InsecureSkipVerify: insecure}
}
