const url = 'http://api.paystack.co/transaction/initialize'
