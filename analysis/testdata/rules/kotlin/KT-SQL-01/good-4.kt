package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import java.sql.Connection

fun Application.orders(connection: Connection) {
    routing {
        get("/orders/{id}") {
            val column = when (call.parameters["sort"]) {
                "name" -> "name"
                "date" -> "created_at"
                else -> "id"
            }
            call.respond(connection.createStatement().executeQuery("select * from orders order by $column"))
        }
    }
}
