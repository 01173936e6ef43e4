package shop

import org.springframework.web.bind.annotation.*
import java.net.URL

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        if (id !in setOf("https://a.shop.test/", "https://b.shop.test/")) return "no"
        return URL(id).readText()
    }
}
