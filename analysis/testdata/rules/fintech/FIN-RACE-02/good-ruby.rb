class WalletService
  def withdraw(user, amount)
    wallet = Wallet.find_by!(user: user)
    wallet.with_lock do
      raise Insufficient if wallet.balance < amount

      wallet.balance -= amount
      wallet.save!
    end
  end
end
