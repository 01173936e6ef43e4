package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import javax.xml.stream.XMLInputFactory

fun Application.orders() {
    routing {
        post("/orders") {
            val text = call.receiveText()
            val reader = XMLInputFactory.newInstance().createXMLStreamReader(text.reader()) // ← here
            call.respond(reader.hasNext())
        }
    }
}
