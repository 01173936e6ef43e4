package shop

import javax.servlet.http.*
import javax.naming.directory.DirContext
import javax.naming.directory.SearchControls

class Orders(private val context: DirContext) : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val uid = request.getParameter("uid")
        context.search("dc=shop", "(uid=$uid)", SearchControls()) // ← here
    }
}
