Future<void> withdraw(Database db, int id, int amount) async {
  final rows = await db.rawQuery('select balance from wallets where id = ?', [id]);
  final balance = rows.first['balance'] as int;
  await db.rawUpdate('update wallets set balance = ? where id = ?', [balance - amount, id]); // ← here
}
