package shop.app

import android.os.Bundle
import androidx.appcompat.app.AppCompatActivity
import android.webkit.WebView

class OrderActivity : AppCompatActivity() {
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val page = WebView(this)
        page.loadUrl("https://shop.test/orders")
    }
}
