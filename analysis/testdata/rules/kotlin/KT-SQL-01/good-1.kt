package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import java.sql.Connection

fun Application.orders(connection: Connection) {
    routing {
        get("/orders/{id}") {
            val id = call.parameters["id"] ?: return@get call.respond(400)
            val statement = connection.prepareStatement("select * from orders where id = ?")
            statement.setString(1, id)
            call.respond(statement.executeQuery())
        }
    }
}
