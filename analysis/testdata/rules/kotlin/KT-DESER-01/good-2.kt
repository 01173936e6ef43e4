package shop

import javax.servlet.http.*
import java.io.ObjectInputStream

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val stream = ObjectInputStream(request.inputStream)
        stream.setObjectInputFilter(filter)
        response.writer.println(stream.readObject())
    }
}
