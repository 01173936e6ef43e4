package shop

import org.springframework.web.bind.annotation.*

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        require(Regex("[a-z0-9]+").matches(id))
        if (!id.matches(Regex("[a-z0-9]+"))) return "no"
        ProcessBuilder("bash", "-c", "ls $id").start()
        return "started"
    }
}
