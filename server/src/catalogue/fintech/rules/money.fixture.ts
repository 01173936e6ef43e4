import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'FIN-MONEY-01',
    bad: [
      `const { DataTypes } = require('sequelize')
module.exports = (sequelize) => sequelize.define('wallet', {
  balance: DataTypes.FLOAT, // ← here
})`,
      `=== models.py
from django.db import models
class Wallet(models.Model):
    balance = models.FloatField(default=0)  # ← here`,
      `=== Wallet.java
import jakarta.persistence.Entity;
@Entity
public class Wallet {
  private double balance; // ← here
}`,
      `=== database/create.php
<?php
Schema::create('orders', function ($table) {
  $table->float('amount'); // ← here
});`,
    ],
    good: [
      `const { DataTypes } = require('sequelize')
module.exports = (sequelize) => sequelize.define('wallet', { balance: DataTypes.BIGINT, rating: DataTypes.FLOAT })`,
      `=== models.py
from django.db import models
class Wallet(models.Model):
    balance = models.DecimalField(max_digits=18, decimal_places=2)
    score = models.FloatField(default=0)`,
      `=== Wallet.java
import jakarta.persistence.Entity;
@Entity
public class Wallet {
  private java.math.BigDecimal balance;
  private double interestRate;
}`,
    ],
  },
  {
    rule: 'FIN-MONEY-02',
    bad: [
      `export function fee(amount) {
  const price = parseFloat(amount) // ← here
  return price * 1.015 + 100
}`,
      `export function settle(wallet, amount) {
  wallet.balance -= parseFloat(amount) * 100 // ← here
}`,
      `const paystack = require('paystack-api')(process.env.KEY)
exports.pay = (req) => paystack.transaction.initialize({ email: req.user.email, amount: parseFloat(req.body.amount) * 100 }) // ← here`,
      `=== pay.py
import requests
def pay(request):
    amount = float(request.POST['amount'])  # ← here
    return requests.post('https://api.flutterwave.com/v3/payments', json={'amount': amount})`,
      `=== pay.php
<?php
function pay($request) {
  $amount = floatval($request['amount']); // ← here
  return Http::post('https://api.paystack.co/transaction/initialize', ['amount' => $amount]);
}`,
    ],
    good: [
      `const paystack = require('paystack-api')(process.env.KEY)
exports.pay = (req) => paystack.transaction.initialize({ email: req.user.email, amount: Number.parseInt(req.body.amountMinor, 10) })`,
      `export const shown = (price) => parseFloat(price).toLocaleString()`,
      `export const area = (width) => parseFloat(width) * 2`,
    ],
  },
  {
    rule: 'FIN-MONEY-03',
    bad: [
      `const axios = require('axios')
exports.pay = (order) => axios.post('https://api.paystack.co/transaction/initialize', {
  email: order.email,
  amount: order.total * 100, // ← here
})`,
      `exports.pay = (paystack, price) => {
  const amount = price * 100 // ← here
  return paystack.transaction.initialize({ amount })
}`,
      `=== pay.py
import requests
def pay(order):
    amount = order.price * 100  # ← here
    return requests.post('https://api.paystack.co/transaction/initialize', json={'amount': amount})`,
    ],
    good: [
      `const axios = require('axios')
exports.pay = (order) => axios.post('https://api.paystack.co/transaction/initialize', { amount: Math.round(order.total * 100) })`,
      `exports.share = (paystack, part, whole) => {
  const amount = (part / whole) * 100
  return paystack.show({ amount })
}`,
      `exports.show = (done) => {
  const amount = done * 100
  return { width: amount }
}`,
    ],
  },
  {
    rule: 'FIN-MONEY-06',
    path: 'schema.sql',
    bad: [
      `CREATE TABLE wallets (id bigint, balance FLOAT NOT NULL);`,
      `create table wallets (
  id text primary key,
  balance double precision not null
);`,
      'CREATE TABLE `orders` (\n  `amount` FLOAT NOT NULL\n);',
      `create table items (\n  price real\n);`,
    ],
    good: [
      `create table wallets (\n  balance bigint not null\n);`,
      `create table rates (\n  fee_rate double precision\n);`,
      `create table places (\n  latitude double precision\n);`,
    ],
  },
]
