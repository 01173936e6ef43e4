package app

import mrand "math/rand"

func ResetPassword() int {
	return mrand.Int() // ← here
}
