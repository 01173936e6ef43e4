package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import javax.xml.stream.XMLInputFactory

fun Application.orders() {
    routing {
        post("/orders") {
            val factory = XMLInputFactory.newInstance()
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false)
            call.respond(factory.createXMLStreamReader(call.receiveText().reader()).hasNext())
        }
    }
}
