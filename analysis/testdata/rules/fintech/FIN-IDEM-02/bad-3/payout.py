import uuid, requests
def pay_out(body):
    for attempt in range(3):
        reference = str(uuid.uuid4())  # ← here
        reply = requests.post('https://api.paystack.co/transfer', json={**body, 'reference': reference})
        if reply.ok:
            return reply
