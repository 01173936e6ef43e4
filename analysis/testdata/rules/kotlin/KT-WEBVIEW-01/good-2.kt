package shop.app

import android.os.Bundle
import androidx.appcompat.app.AppCompatActivity
import android.webkit.WebView

class OrderActivity : AppCompatActivity() {
    private lateinit var page: WebView
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val id = intent.getStringExtra("id")
        page.loadUrl("https://shop.test/orders/$id")
    }
}
