package shop

import javax.servlet.http.*
import com.fasterxml.jackson.databind.ObjectMapper

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val order = ObjectMapper().readValue(request.inputStream, Order::class.java)
        response.writer.println(order.id)
    }
}
