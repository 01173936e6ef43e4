package shop

import org.springframework.web.bind.annotation.*
import javax.servlet.http.HttpServletResponse

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@RequestParam id: String, response: HttpServletResponse): String {
        response.sendRedirect(id) // ← here
        return "ok"
    }
}
