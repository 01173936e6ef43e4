package shop

import java.security.SecureRandom

class Orders {
    fun resetToken(): String {
        val token = SecureRandom().nextInt(999999).toString()
        return token
    }
}
