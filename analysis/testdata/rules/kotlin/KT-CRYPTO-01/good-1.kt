package shop

import javax.crypto.Cipher

class Orders {
    fun open(): Cipher = Cipher.getInstance("AES/GCM/NoPadding")
}
