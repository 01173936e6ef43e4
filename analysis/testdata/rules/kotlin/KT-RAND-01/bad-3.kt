package shop


class Orders {
    fun start(session: Session) {
        session.sessionId = "s" + java.util.Random().nextLong() // ← here
    }
}
