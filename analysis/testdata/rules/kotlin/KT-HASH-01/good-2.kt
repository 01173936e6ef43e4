package shop

import java.security.MessageDigest

class Orders {
    fun cacheKey(url: String): ByteArray = MessageDigest.getInstance("MD5").digest(url.toByteArray())
}
