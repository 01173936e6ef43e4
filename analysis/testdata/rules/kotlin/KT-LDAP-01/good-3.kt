package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import javax.naming.directory.InitialDirContext

fun Application.orders(context: InitialDirContext) {
    routing {
        get("/orders/{id}") {
            val mail = call.parameters["mail"].orEmpty()
            if (!mail.all { it.isLetterOrDigit() }) return@get call.respond(400)
            call.respond(context.search("dc=shop", "(mail=$mail)", null))
        }
    }
}
