package shop

import javax.servlet.http.*
import java.lang.ClassLoader

class Orders(private val loader: ClassLoader) : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val type = javaClass.classLoader
        val loaded = loader.loadClass(request.getParameter("type")) // ← here
        response.writer.println(loaded.name + type)
    }
}
