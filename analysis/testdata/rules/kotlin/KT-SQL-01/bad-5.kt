package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import org.jetbrains.exposed.sql.transactions.transaction

fun Application.orders() {
    routing {
        post("/orders") {
            val body = call.receive<Rename>()
            transaction { exec("update orders set name = '${body.name}'") } // ← here
            call.respond(200)
        }
    }
}

data class Rename(val id: Long, val name: String)
