package app

import (
	"crypto/tls"
)

func Config(verify func(tls.ConnectionState) error) *tls.Config {
	return &tls.Config{InsecureSkipVerify: true, VerifyConnection: verify}
}
