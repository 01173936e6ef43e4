package shop

import org.apache.commons.codec.digest.DigestUtils

class Orders {
    fun sign(text: String): String = DigestUtils.sha256Hex(text)
}
