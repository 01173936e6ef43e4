package shop

fun Application.checkout(paystack: PaystackClient, orders: OrderRepository) {
    routing {
        post("/orders/checkout") {
            val request = call.receive<CheckoutRequest>()
            val order = orders.findById(request.orderId)
            val payment = paystack.initializeTransaction(order.email, order.totalMinor)
            call.respond(payment)
        }
    }
}
