package shop

import org.springframework.web.bind.annotation.*
import javax.script.ScriptEngine

@RestController
class OrdersController(private val engine: ScriptEngine) {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        return engine.eval("1 + $id").toString() // ← here
    }
}
