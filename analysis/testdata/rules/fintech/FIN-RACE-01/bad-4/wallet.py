def spend(cursor, wallet_id, amount):
    cursor.execute('select balance from wallets where id = %s', (wallet_id,))
    balance = cursor.fetchone()[0]
    cursor.execute('update wallets set balance = %s where id = %s', (balance - amount, wallet_id))  # ← here
