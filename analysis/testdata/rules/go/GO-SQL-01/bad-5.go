package app

import (
	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

func Find(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		var users []string
		db.Where("name = '" + c.Query("name") + "'").Find(&users) // ← here
	}
}
