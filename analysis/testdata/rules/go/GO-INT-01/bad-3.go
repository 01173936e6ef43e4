package app

import (
	"strconv"
)

func Price(text string) uint32 {
	price, err := strconv.ParseUint(text, 10, 0)
	if err != nil {
		return 0
	}
	return uint32(price) // ← here
}
