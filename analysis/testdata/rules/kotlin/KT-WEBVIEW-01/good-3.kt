package shop.app

import android.os.Bundle
import androidx.appcompat.app.AppCompatActivity
import android.webkit.WebView

class OrderActivity : AppCompatActivity() {
    private lateinit var page: WebView
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val address = intent.getStringExtra("url")
        if (address in listOf("https://shop.test/a", "https://shop.test/b")) page.loadUrl(address!!)
    }
}
