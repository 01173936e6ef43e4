package shop

import org.springframework.web.bind.annotation.*
import java.nio.file.Files
import java.nio.file.Paths

@RestController
class OrdersController() {
    @GetMapping("/orders")
    fun show(@PathVariable id: Long): String {
        return Files.readString(Paths.get("/data", "$id.txt"))
    }
}
