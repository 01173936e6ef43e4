package shop

import javax.crypto.Cipher

class Orders {
    fun open(): Cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding")
}
