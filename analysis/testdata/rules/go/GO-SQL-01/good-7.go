package shop

import (
	"strconv"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type User struct{ ID int }

var statements = map[string]string{"all": "select * from users"}

func user(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		id, err := strconv.Atoi(c.Query("id"))
		if err != nil {
			c.Status(400)
			return
		}
		var found User
		db.First(&found, id)
		db.Where("name = ?", c.Query("name")).First(&found)
		db.Where(&User{ID: id}).First(&found)
		db.Raw(statements[c.Query("kind")]).Scan(&found)
		c.JSON(200, found)
	}
}
