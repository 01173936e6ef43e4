import requests
def verify(request, reference):
    reply = requests.get('https://api.paystack.co/transaction/verify/' + reference).json()
    if reply['data']['status'] == 'success':
        order = Order.objects.get(reference=reference)
        order.status = 'paid'
        order.save()  # ← here
