package app

import (
	"log"
)

func Check(password string) {
	log.Printf("password of %d signs", len(password))
}
