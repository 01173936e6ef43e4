package app

import (
	"fmt"
	"math/rand"
)

func Send() {
	otp := fmt.Sprintf("%06d", rand.Intn(1000000)) // ← here
	_ = otp
}
