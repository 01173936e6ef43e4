package shop

import javax.servlet.http.*
import javax.xml.parsers.SAXParserFactory

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val parser = SAXParserFactory.newInstance().newSAXParser()
        parser.parse(request.getInputStream(), handler) // ← here
    }
}
