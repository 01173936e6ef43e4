package shop

import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import groovy.lang.GroovyShell

fun Application.orders(shell: GroovyShell) {
    routing {
        get("/orders/{id}") {
            call.respond(shell.evaluate(SCRIPT))
        }
    }
}

private const val SCRIPT = "1 + 1"
