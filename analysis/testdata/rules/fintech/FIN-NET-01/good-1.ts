const url = 'https://api.paystack.co/transaction/initialize'
