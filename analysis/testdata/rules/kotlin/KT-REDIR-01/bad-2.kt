package shop

import javax.servlet.http.*

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        response.sendRedirect(request.getParameter("next")) // ← here
    }
}
