package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val width = call.parameters["width"]?.toIntOrNull() ?: 100
            Runtime.getRuntime().exec("convert -resize $width photo.png")
            call.respond(200)
        }
    }
}
