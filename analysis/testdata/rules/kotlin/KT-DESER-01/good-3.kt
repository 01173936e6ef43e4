package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        post("/orders") {
            val order = call.receive<Order>()
            call.respond(order)
        }
    }
}
