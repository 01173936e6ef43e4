package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import javax.xml.xpath.XPath
import org.w3c.dom.Document

fun Application.orders(path: XPath, document: Document) {
    routing {
        get("/orders/{id}") {
            val name = call.parameters["name"].orEmpty()
            if (!name.matches(Regex("[A-Za-z]+"))) return@get call.respond(400)
            call.respond(path.evaluate("//user[name='$name']", document))
        }
    }
}
