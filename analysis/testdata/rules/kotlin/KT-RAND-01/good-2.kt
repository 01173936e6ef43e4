package shop

import kotlin.random.Random

class Orders {
    fun delay(): Int = Random.nextInt(100, 500)
}
