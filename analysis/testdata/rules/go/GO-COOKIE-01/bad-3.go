package app

import "github.com/gin-gonic/gin"

func SignIn(c *gin.Context) {
	c.SetCookie("session_id", c.Query("id"), 3600, "/", "", false, true) // ← here
}
