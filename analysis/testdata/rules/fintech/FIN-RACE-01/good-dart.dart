Future<void> withdraw(Database db, int id, int amount) async {
  await db.rawUpdate('update wallets set balance = balance - ? where id = ? and balance >= ?', [amount, id, amount]);
}
