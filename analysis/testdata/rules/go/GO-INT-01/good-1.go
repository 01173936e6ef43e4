package app

import (
	"strconv"
)

func Amount(text string) int32 {
	amount, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return int32(amount)
}
