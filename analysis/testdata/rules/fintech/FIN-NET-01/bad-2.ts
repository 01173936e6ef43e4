BASE = "http://api.flutterwave.com/v3/payments"
