package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import java.io.File

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.parameters["id"]
            call.respondFile(File("/data/$name")) // ← here
        }
    }
}
