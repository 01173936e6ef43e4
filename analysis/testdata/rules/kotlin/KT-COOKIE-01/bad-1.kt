package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders(token: String) {
    routing {
        get("/orders/{id}") {
            call.response.cookies.append("session", token) // ← here
            call.respond(200)
        }
    }
}
