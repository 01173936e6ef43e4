package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import org.yaml.snakeyaml.Yaml

fun Application.orders(yaml: Yaml) {
    routing {
        post("/orders") {
            val order = yaml.load(call.receiveText()) // ← here
            call.respond(order)
        }
    }
}
