package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.request.queryParameters["name"]
            ProcessBuilder().apply { command("sh", "-c", "ls $name") }.start() // ← here
            call.respond(200)
        }
    }
}
