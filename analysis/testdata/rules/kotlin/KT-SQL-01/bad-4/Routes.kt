package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders(repository: OrderRepository) {
    routing {
        get("/orders/{id}") {
            val name = call.request.queryParameters["name"].orEmpty()
            call.respond(repository.find(name.trim()))
        }
    }
}
