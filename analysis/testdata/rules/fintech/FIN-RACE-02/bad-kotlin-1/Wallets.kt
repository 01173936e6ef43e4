package shop

class Wallets(private val repository: WalletRepository) {
    fun withdraw(id: Long, amount: Long) {
        val wallet = repository.findById(id).get()
        require(wallet.balance >= amount)
        wallet.balance -= amount // ← here
        repository.save(wallet)
    }
}
