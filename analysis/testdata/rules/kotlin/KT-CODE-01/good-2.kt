package shop

import org.springframework.web.bind.annotation.*
import javax.script.ScriptEngine

@RestController
class OrdersController(private val engine: ScriptEngine) {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        engine.put("id", id)
        return engine.eval("order(id)").toString()
    }
}
