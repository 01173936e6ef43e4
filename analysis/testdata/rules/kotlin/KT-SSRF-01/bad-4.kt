package shop

import org.springframework.web.bind.annotation.*
import org.springframework.web.client.RestTemplate

@RestController
class OrdersController(private val rest: RestTemplate) {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        return rest.getForObject("http://$id/orders", String::class.java) // ← here
    }
}
