package shop

import javax.crypto.Cipher

class Orders {
    fun open(): Cipher {
        val name = "AES"
        return Cipher.getInstance(name) // ← here
    }
}
