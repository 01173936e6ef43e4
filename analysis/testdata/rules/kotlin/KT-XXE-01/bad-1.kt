package shop

import javax.servlet.http.*
import javax.xml.parsers.DocumentBuilderFactory

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val builder = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        builder.parse(request.inputStream) // ← here
    }
}
