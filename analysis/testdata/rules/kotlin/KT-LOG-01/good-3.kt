package shop


class Orders {
    fun connect(settings: Settings) {
        println("the key is set: " + (settings.apiKey != null))
    }
}
