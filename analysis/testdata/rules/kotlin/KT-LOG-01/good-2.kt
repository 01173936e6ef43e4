package shop

import android.util.Log

class Orders {
    fun signIn(name: String, password: String) {
        Log.d("Orders", "password has ${password.length} characters")
    }
}
