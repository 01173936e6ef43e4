import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'FIN-RACE-01',
    bad: [
      `async function transfer(db, from, to, amount) {
  const { rows } = await db.query('SELECT balance FROM wallets WHERE id = $1', [from])
  if (rows[0].balance < amount) throw new Error('insufficient funds')
  await db.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, from]) // ← here
  await db.query('UPDATE wallets SET balance = balance + $1 WHERE id = $2', [amount, to])
}`,
      `exports.spend = async (db, id, amount) => {
  const [row] = await db.query('select balance from wallets where id = ?', [id])
  const left = row.balance - amount
  await db.query('update wallets set balance = ? where id = ?', [left, id]) // ← here
}`,
      `=== wallet.php
<?php
function spend($db, $id, $amount) {
  $balance = $db->query("select balance from accounts where id = 1")->fetch()['balance'];
  $left = $balance - $amount;
  $db->execute("UPDATE accounts SET balance = $left WHERE id = 1"); // ← here
}`,
      `=== wallet.py
def spend(cursor, wallet_id, amount):
    cursor.execute('select balance from wallets where id = %s', (wallet_id,))
    balance = cursor.fetchone()[0]
    cursor.execute('update wallets set balance = %s where id = %s', (balance - amount, wallet_id))  # ← here`,
    ],
    good: [
      `exports.spend = async (db, id, amount) => {
  const done = await db.query('update wallets set balance = balance - ? where id = ? and balance >= ?', [amount, id, amount])
  if (done.affectedRows === 0) throw new Error('not enough')
}`,
      `exports.spend = async (db, id, amount) => {
  const [row] = await db.query('select balance from wallets where id = ? for update', [id])
  const left = row.balance - amount
  await db.query('update wallets set balance = ? where id = ?', [left, id])
}`,
      `exports.rename = (db, id, name) => db.query('update wallets set name = ? where id = ?', [name, id])`,
    ],
  },
  {
    rule: 'FIN-RACE-02',
    bad: [
      `exports.spend = async (req, res) => {
  const wallet = await Wallet.findOne({ user: req.user.id })
  if (wallet.balance < req.amount) return res.sendStatus(402)
  wallet.balance -= req.amount // ← here
  await wallet.save()
}`,
      `export async function spend(userId, amount) {
  const user = await prisma.user.findUnique({ where: { id: userId } })
  await prisma.user.update({ where: { id: userId }, data: { balance: user.balance - amount } }) // ← here
}`,
      `=== wallet.py
def spend(wallet_id, amount):
    wallet = Wallet.objects.get(pk=wallet_id)
    if wallet.balance < amount:
        raise ValueError
    wallet.balance -= amount  # ← here
    wallet.save()`,
      `=== WalletService.php
<?php
class WalletService {
  public function spend($id, $amount) {
    $wallet = Wallet::find($id);
    $wallet->balance = $wallet->balance - $amount; // ← here
    $wallet->save();
  }
}`,
    ],
    good: [
      `exports.spend = async (req, res) => {
  const done = await Wallet.updateOne({ user: req.user.id, balance: { $gte: req.amount } }, { $inc: { balance: -req.amount } })
  if (done.modifiedCount === 0) return res.sendStatus(402)
}`,
      `=== wallet.py
from django.db import transaction
def spend(wallet_id, amount):
    with transaction.atomic():
        wallet = Wallet.objects.select_for_update().get(pk=wallet_id)
        wallet.balance -= amount
        wallet.save()`,
      `exports.total = (rows) => {
  const sum = { balance: 0 }
  for (const row of rows) sum.balance += row.amount
  return sum
}`,
      `=== WalletService.php
<?php
class WalletService {
  public function spend($id, $amount) {
    DB::transaction(function () use ($id, $amount) {
      $wallet = Wallet::lockForUpdate()->find($id);
      $wallet->balance = $wallet->balance - $amount;
      $wallet->save();
    });
  }
}`,
    ],
  },
]
