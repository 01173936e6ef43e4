package shop

import org.springframework.web.bind.annotation.*
import java.net.URL

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        return URL(id).readText() // ← here
    }
}
