package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.parameters["id"] ?: return@get call.respond(400)
            call.respondText(Storage.read(name))
        }
    }
}
