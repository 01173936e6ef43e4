package shop

import org.springframework.web.bind.annotation.*

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        ProcessBuilder(listOf("bash", "-c", id)).start() // ← here
        return "started"
    }
}
