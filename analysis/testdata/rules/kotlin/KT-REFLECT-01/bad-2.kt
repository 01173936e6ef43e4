package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val type = Class.forName("shop.handlers." + call.parameters["type"]) // ← here
            call.respond(type.simpleName)
        }
    }
}
