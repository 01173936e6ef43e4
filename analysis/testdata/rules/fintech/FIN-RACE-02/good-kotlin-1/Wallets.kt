package shop

class Wallets(private val repository: WalletRepository) {
    fun withdraw(id: Long, amount: Long) {
        val changed = repository.withdraw(id, amount)
        check(changed == 1)
    }
}
