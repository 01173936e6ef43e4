package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import java.io.File

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val file = File("/data", call.parameters["id"].orEmpty())
            if (!file.canonicalPath.startsWith("/data/")) return@get call.respond(400)
            call.respondFile(file)
        }
    }
}
