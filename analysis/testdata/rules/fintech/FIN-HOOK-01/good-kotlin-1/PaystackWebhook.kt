package shop.payments

import io.ktor.server.application.*
import io.ktor.server.routing.*
import java.security.MessageDigest
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

fun Application.paystack(wallets: WalletRepository, secretKey: String) {
    routing {
        post("/webhooks/paystack") {
            val body = call.receiveText()
            val mac = Mac.getInstance("HmacSHA512")
            mac.init(SecretKeySpec(secretKey.toByteArray(), "HmacSHA512"))
            val expected = mac.doFinal(body.toByteArray())
            val signature = call.request.headers["x-paystack-signature"].orEmpty().hexToByteArray()
            if (!MessageDigest.isEqual(expected, signature)) {
                call.respond(401)
                return@post
            }
            val message = parse(body)
            if (message.event == "charge.success") wallets.credit(message.data.customerId, message.data.amountMinor)
            call.respond(200)
        }
    }
}
