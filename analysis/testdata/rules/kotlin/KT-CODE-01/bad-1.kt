package shop

import javax.servlet.http.*
import javax.script.ScriptEngine
import javax.script.ScriptEngineManager

class Orders() : HttpServlet() {
    override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {
        val engine: ScriptEngine = ScriptEngineManager().getEngineByName("kts")
        engine.eval(request.getParameter("script")) // ← here
    }
}
