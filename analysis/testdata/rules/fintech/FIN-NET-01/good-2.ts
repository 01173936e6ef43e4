const url = 'http://127.0.0.1:9000/transaction/initialize'
