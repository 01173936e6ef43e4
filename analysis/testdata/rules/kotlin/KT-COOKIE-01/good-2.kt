package shop

import javax.servlet.http.*

class Orders(private val token: String) : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val cookie = Cookie("session", token)
        cookie.secure = true
        response.addCookie(cookie)
    }
}
