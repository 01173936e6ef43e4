package shop

import java.security.cert.X509Certificate
import javax.net.ssl.X509TrustManager

class Orders {
    val manager = object : X509TrustManager {
        override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) {}
        override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {} // ← here
        override fun getAcceptedIssuers(): Array<X509Certificate> = arrayOf()
    }
}
