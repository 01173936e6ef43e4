package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import groovy.lang.GroovyShell

fun Application.orders(shell: GroovyShell) {
    routing {
        post("/orders") {
            call.respond(shell.evaluate(call.receiveText())) // ← here
        }
    }
}
