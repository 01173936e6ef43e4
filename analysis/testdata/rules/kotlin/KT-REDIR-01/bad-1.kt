package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val next = call.request.queryParameters["next"] ?: "/"
            call.respondRedirect(next) // ← here
        }
    }
}
