export function settle(wallet, amount) {
  wallet.balance -= parseFloat(amount) * 100 // ← here
}
