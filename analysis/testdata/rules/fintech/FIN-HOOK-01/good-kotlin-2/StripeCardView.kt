package shop.app

class StripeCardView(private val card: CardInputWidget) {
    private var listener: PaymentListener? = null

    private fun setListeners() {
        card.setCardValidCallback { isValid, _ ->
            val stripe = listener ?: return@setCardValidCallback
            stripe.onPaymentEvent(isValid)
            stripe.updatePayment(card.paymentMethodCard)
        }
    }
}
