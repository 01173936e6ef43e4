const Flutterwave = require('flutterwave-node-v3')
const tx_ref = `tx-${Math.floor(Math.random() * 1000000)}` // ← here
