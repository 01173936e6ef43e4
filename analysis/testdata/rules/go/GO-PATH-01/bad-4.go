package app

import "github.com/gin-gonic/gin"

func Download(c *gin.Context) {
	c.File("./files/" + c.Param("name")) // ← here
}
