import json
from django.http import HttpResponse

def paystack_webhook(request):  # ← here
    payload = json.loads(request.body)
    if payload['event'] == 'charge.success':
        order = Order.objects.get(reference=payload['data']['reference'])
        order.status = 'paid'
        order.save()
    return HttpResponse(status=200)
