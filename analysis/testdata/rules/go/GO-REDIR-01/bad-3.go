package app

import "github.com/gin-gonic/gin"

func Back(c *gin.Context) {
	c.Redirect(302, c.Query("to")) // ← here
}
