package shop

import javax.servlet.http.*
import java.io.ObjectInputStream

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        ObjectInputStream(request.getInputStream()).use { stream ->
            val order = stream.readObject() // ← here
            log(order.toString())
        }
    }
}
