exports.charge = (card) => { console.log('charging', card.cardNumber, card.cvv) } // ← here
