package shop

import javax.servlet.http.*

class Orders(private val token: String) : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        response.addCookie(Cookie("auth", token).apply { secure = true; maxAge = 3600 })
    }
}
