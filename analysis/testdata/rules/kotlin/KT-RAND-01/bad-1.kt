package shop

import kotlin.random.Random

class Orders {
    fun resetToken(): String {
        val token = Random.nextInt(100000, 999999).toString() // ← here
        return token
    }
}
