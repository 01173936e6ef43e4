package shop


class Orders {
    fun newOtpCode(): String = (1..6).map { ('0'..'9').random() }.joinToString("") // ← here
}
