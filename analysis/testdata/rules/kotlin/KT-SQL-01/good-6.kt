package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import java.sql.Connection

fun Application.orders(connection: Connection) {
    routing {
        get("/orders/{id}") {
            val column = call.parameters["sort"].orEmpty()
            if (column !in COLUMNS) return@get call.respond(400)
            call.respond(connection.createStatement().executeQuery("select * from orders order by $column"))
        }
    }
}

private val COLUMNS = setOf("id", "name")
