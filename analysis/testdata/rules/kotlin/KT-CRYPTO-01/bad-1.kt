package shop

import javax.crypto.Cipher

class Orders {
    fun encrypt(text: ByteArray): ByteArray = Cipher.getInstance("DES").doFinal(text) // ← here
}
