package shop

import java.security.MessageDigest

class Orders {
    fun sign(text: ByteArray) = MessageDigest.getInstance("SHA-1").run { digest(text) } // ← here
}
