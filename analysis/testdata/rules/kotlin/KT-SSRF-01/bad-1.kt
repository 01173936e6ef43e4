package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.ktor.client.HttpClient

fun Application.orders(client: HttpClient) {
    routing {
        get("/orders/{id}") {
            val url = call.request.queryParameters["url"].orEmpty()
            call.respondText(client.get(url).bodyAsText()) // ← here
        }
    }
}
