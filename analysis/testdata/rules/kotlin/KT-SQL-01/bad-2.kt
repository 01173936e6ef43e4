package shop

import org.springframework.web.bind.annotation.*
import org.springframework.jdbc.core.JdbcTemplate

@RestController
class OrdersController(private val jdbc: JdbcTemplate) {
    @GetMapping("/orders")
    fun show(@RequestParam id: String): String {
        return jdbc.queryForObject("select name from orders where id = '$id'", String::class.java) // ← here
    }
}
