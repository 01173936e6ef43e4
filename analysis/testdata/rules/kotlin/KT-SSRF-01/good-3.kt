package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import okhttp3.OkHttpClient
import okhttp3.Request

fun Application.orders() {
    routing {
        get("/orders/{id}") {
            val id = call.parameters["id"]
            val request = Request.Builder().url("https://api.shop.test/orders/$id").build()
            call.respond(OkHttpClient().newCall(request).execute().code)
        }
    }
}
