package shop

import javax.crypto.Cipher
import javax.crypto.SecretKey

class Orders {
    fun open(key: SecretKey): Cipher = Cipher.getInstance("AES/ECB/PKCS5Padding").apply { init(Cipher.ENCRYPT_MODE, key) } // ← here
}
