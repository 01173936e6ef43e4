package shop

import org.springframework.web.bind.annotation.*

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: Long): String {
        return "<p>Order $id</p>"
    }
}
