exports.charge = (card) => { console.log('charging', card.last4) }
