package shop.payments

import io.ktor.server.application.*
import io.ktor.server.routing.*

fun Application.paystack(wallets: WalletRepository) {
    routing {
        post("/webhooks/paystack") { // ← here
            val message = call.receive<PaystackEvent>()
            if (message.event == "charge.success") {
                wallets.credit(message.data.customerId, message.data.amountMinor)
            }
            call.respond(200)
        }
    }
}
