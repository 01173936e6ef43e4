class WalletService
  def withdraw(user, amount)
    wallet = Wallet.find_by!(user: user)
    raise Insufficient if wallet.balance < amount

    wallet.balance -= amount # ← here
    wallet.save!
  end
end
