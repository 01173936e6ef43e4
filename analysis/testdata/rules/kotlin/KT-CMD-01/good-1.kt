package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.parameters["id"]
            ProcessBuilder("convert", "--", name).start()
            call.respond(200)
        }
    }
}
