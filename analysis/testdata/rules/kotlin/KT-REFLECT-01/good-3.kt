package shop

import org.springframework.web.bind.annotation.*

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        if (id !in listOf("shop.Order", "shop.Cart")) return "no"
        return Class.forName(id).name
    }
}
