exports.reset = (wallet) => Wallet.updateOne({ id: wallet.id }, { pin: null })
