import requests
def pay(order):
    amount = order.price * 100  # ← here
    return requests.post('https://api.paystack.co/transaction/initialize', json={'amount': amount})
