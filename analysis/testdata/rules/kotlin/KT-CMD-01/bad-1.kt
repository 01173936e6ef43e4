package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.parameters["id"]
            Runtime.getRuntime().exec("convert $name") // ← here
            call.respond(200)
        }
    }
}
