package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.ktor.client.HttpClient

fun Application.orders(client: HttpClient) {
    routing {
        get("/orders/{id}") {
            val id = call.parameters["id"].orEmpty()
            call.respondText(client.get("https://api.shop.test/orders/${id.encodeURLPathPart()}").bodyAsText())
        }
    }
}
