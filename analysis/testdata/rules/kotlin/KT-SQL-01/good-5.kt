package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import java.sql.Connection

fun Application.orders(connection: Connection) {
    routing {
        post("/orders") {
            val body = call.receive<Rename>()
            connection.createStatement().executeUpdate("update orders set paid = true where id = ${body.id}")
            call.respond(200)
        }
    }
}

data class Rename(val id: Long, val name: String)
