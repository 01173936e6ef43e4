package shop

import javax.servlet.http.*
import javax.xml.xpath.XPathFactory
import org.w3c.dom.Document

class Orders(private val document: Document) : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val path = XPathFactory.newInstance().newXPath()
        path.evaluate("//user[@name='amina']", document)
    }
}
