package shop

import javax.servlet.http.*
import java.io.ObjectInputStream

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val order = ObjectInputStream(request.inputStream).readObject() // ← here
        response.writer.println(order)
    }
}
