def spend(wallet_id, amount):
    wallet = Wallet.objects.get(pk=wallet_id)
    if wallet.balance < amount:
        raise ValueError
    wallet.balance -= amount  # ← here
    wallet.save()
