package app

import (
	"log"
)

func SignIn(user, password string) {
	log.Printf("sign-in of %s", user)
}
