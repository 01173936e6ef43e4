package shop

import java.security.MessageDigest

fun digestNamed(name: String): MessageDigest = when (name) {
    "MD5" -> MessageDigest.getInstance("MD5")
    else -> MessageDigest.getInstance("SHA-256")
}
