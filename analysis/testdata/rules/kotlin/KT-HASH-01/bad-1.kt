package shop

import java.security.MessageDigest

class Orders {
    fun hashPassword(password: String): ByteArray =
        MessageDigest.getInstance("MD5").digest(password.toByteArray()) // ← here
}
