package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.ktor.http.ContentType
import io.ktor.util.escapeHTML

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val name = call.request.queryParameters["name"].orEmpty()
            call.respondText("<h1>Hello ${name.escapeHTML()}</h1>", ContentType.Text.Html)
        }
    }
}
