import uuid, requests
def pay_out(body):
    reference = str(uuid.uuid4())
    for attempt in range(3):
        reply = requests.post('https://api.paystack.co/transfer', json={**body, 'reference': reference})
        if reply.ok:
            return reply
