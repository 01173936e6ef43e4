import requests
def pay(request):
    amount = float(request.POST['amount'])  # ← here
    return requests.post('https://api.flutterwave.com/v3/payments', json={'amount': amount})
