package shop.app

import android.os.Bundle
import androidx.appcompat.app.AppCompatActivity
import android.database.sqlite.SQLiteDatabase

class OrderActivity : AppCompatActivity() {
    private lateinit var database: SQLiteDatabase
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val name = intent.getStringExtra("name")
        database.rawQuery("select * from orders where name = '" + name + "'", null).use { cursor -> cursor.moveToFirst() } // ← here
    }
}
