package shop

import (
	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type User struct{ ID int }

func user(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		var found User
		db.First(&found, c.Query("id")) // ← here
		c.JSON(200, found)
	}
}
