package app

import (
	"strconv"
)

func Amount(text string) int32 {
	amount, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return int32(amount) // ← here
}
