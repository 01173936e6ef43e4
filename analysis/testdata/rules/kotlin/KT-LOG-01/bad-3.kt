package shop


class Orders {
    fun connect(settings: Settings) {
        println("key " + settings.apiKey) // ← here
    }
}
