export async function creditWallet(wallet, amount) {
  await wallet.increment('balance', { by: amount })
}
