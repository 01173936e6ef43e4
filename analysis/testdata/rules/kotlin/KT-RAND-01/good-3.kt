package shop

import java.security.SecureRandom
import kotlin.random.asKotlinRandom

class Orders {
    private val random = SecureRandom().asKotlinRandom()
    
    fun newOtpCode(): String = (1..6).map { ('0'..'9').random(random) }.joinToString("")
}
