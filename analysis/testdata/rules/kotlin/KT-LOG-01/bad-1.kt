package shop

import org.slf4j.LoggerFactory

class Orders {
    private val logger = LoggerFactory.getLogger("orders")
    
    fun signIn(name: String, password: String) {
        logger.info("Sign-in of $name with $password") // ← here
    }
}
