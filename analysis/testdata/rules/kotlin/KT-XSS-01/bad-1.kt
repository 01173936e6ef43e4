package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.ktor.http.ContentType

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.request.queryParameters["name"]
            call.respondText("<h1>Hello $name</h1>", ContentType.Text.Html) // ← here
        }
    }
}
