package shop

import org.apache.commons.codec.digest.DigestUtils

class Orders {
    fun sign(text: String): String = DigestUtils.sha1Hex(text) // ← here
}
