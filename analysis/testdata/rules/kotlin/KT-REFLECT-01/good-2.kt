package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val type = TYPES[call.parameters["type"]] ?: return@get call.respond(400)
            call.respond(type)
        }
    }
}

private val TYPES = mapOf("order" to "shop.Order")
