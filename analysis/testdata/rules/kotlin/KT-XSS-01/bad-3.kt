package shop

import javax.servlet.http.*

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        response.contentType = "text/html"
        response.writer.println("<p>" + request.getParameter("name") + "</p>") // ← here
    }
}
